import { ActionIcon, Autocomplete, Button, Group, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { inWorkspace, send } from "#web/api/http.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { type LeadPreview, type LeadSource, MAPPED, readSample, SOURCES_PATH } from "./lead-source.ts";
import { PreviewNote } from "./preview-note.tsx";
import { type SourceForm, toMapping } from "./source-form.ts";

/** Pause after which what was typed is tried. */
const TYPED_MS = 400;

interface FieldsProps {
  form: UseFormReturnType<SourceForm>;
  source: LeadSource | null;
}

/** Fields of a mapping, with a sample that offers its paths and shows who would be called. */
export function MappingFields({ form, source }: FieldsProps) {
  const preview = usePreview(form.getValues(), source);
  const paths = [...new Set(["$", ...(preview?.paths.map(({ path }) => path) ?? [])])];
  return (
    <Stack gap="xs">
      <Textarea
        label={t`A sample of what is sent`}
        description={t`JSON, or form fields such as phone=…&name=…. It is tried as you type, dials nobody and is not stored.`}
        placeholder='{"lead": {"phone": "(202) 555-0100", "name": "Ada"}}'
        autosize
        minRows={3}
        maxRows={10}
        {...form.getInputProps("sample")}
      />
      {MAPPED.map(({ name, label }) => (
        <Autocomplete
          key={name}
          label={label}
          required={name === "customerNumber"}
          placeholder="lead.phone"
          maxLength={300}
          data={paths}
          {...form.getInputProps(`paths.${name}`)}
        />
      ))}
      <Variables form={form} paths={paths} />
      <Switch
        label={t`Keep the whole lead with the call`}
        description={t`As contextData.lead: it travels with the call and comes back in its webhooks.`}
        {...form.getInputProps("keepsWhole", { type: "checkbox" })}
      />
      {preview && <PreviewNote preview={preview} />}
    </Stack>
  );
}

function Variables({ form, paths }: { form: UseFormReturnType<SourceForm>; paths: string[] }) {
  return (
    <Stack gap="xs" role="group" aria-label={t`Variables`}>
      <Text fz="sm" fw={500}>
        {t`Variables that the agent may know`}
      </Text>
      {form.getValues().variables.map((_, i) => (
        <Group key={i} gap="xs" wrap="nowrap">
          <TextInput aria-label={t`Variable`} placeholder="product" {...form.getInputProps(`variables.${i}.name`)} />
          <Autocomplete aria-label={t`Its path`} data={paths} flex={1} {...form.getInputProps(`variables.${i}.path`)} />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t`Remove the variable`}
            onClick={() => form.removeListItem("variables", i)}
          >
            <Icon name="trash" />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name="plus" />}
        onClick={() => form.insertListItem("variables", { name: "", path: "" })}
        style={{ alignSelf: "flex-start" }}
      >
        {t`Add variable`}
      </Button>
    </Stack>
  );
}

/** Values that the mapping reads from the sample; undefined without a sample. */
function usePreview(values: SourceForm, source: LeadSource | null): LeadPreview | undefined {
  const { id } = useWorkspace();
  const country = values.defaultCountry.trim().toUpperCase();
  const mapping = toMapping(values, source);
  const body = {
    sample: readSample(values.sample),
    // A path must not be empty: until there is one, the preview lists those of the sample.
    mapping: { ...mapping, customerNumber: mapping.customerNumber || "$" },
    defaultCountry: /^[A-Z]{2}$/.test(country) ? country : null,
    consentRequired: values.consentRequired,
  };
  const [typed] = useDebouncedValue(JSON.stringify(body), TYPED_MS);
  const enabled = values.sample.trim() !== "";
  const { data } = useQuery<LeadPreview>({
    queryKey: [id, "lead-preview", typed],
    queryFn: ({ signal }) =>
      send<LeadPreview>("POST", inWorkspace(id, `${SOURCES_PATH}/preview`), {
        signal,
        body: JSON.parse(typed) as object,
      }),
    enabled,
    retry: false,
  });
  return enabled ? data : undefined;
}
