import { Group, NumberInput, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useRead } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import type { ToolValues } from "./tool-values.ts";

type Form = UseFormReturnType<ToolValues>;

/** Fields for the server's address and the request to it. */
export function RequestFields({ form }: { form: Form }) {
  const isApi = form.getValues().toolType === "API";
  return (
    <Card title={isApi ? t`Request` : t`Server`}>
      <Stack>
        <Group align="flex-start" wrap="nowrap" gap="xs">
          {isApi && (
            <Select
              label={t`Method`}
              w={110}
              data={["GET", "POST", "PUT", "PATCH", "DELETE"]}
              allowDeselect={false}
              {...form.getInputProps("apiMethod")}
            />
          )}
          <TextInput
            label="URL"
            flex={1}
            required
            placeholder="https://api.example.com/orders/{{ orderId }}"
            {...form.getInputProps("apiUrl")}
          />
        </Group>
        <TextEditor
          label={t`Headers`}
          description={t`JSON. Sealed when stored; ******** means: as it was. For another host, enter the value again.`}
          language="json"
          minHeight={64}
          {...form.getInputProps("apiHeaders")}
        />
        {isApi && form.getValues().apiMethod !== "GET" && (
          <TextEditor
            label={t`Body`}
            description={t`JSON with {{ variables }}. Empty: the parameters as they are.`}
            language="json"
            minHeight={90}
            {...form.getInputProps("apiBody")}
          />
        )}
        {isApi && <ConnectionField form={form} />}
        <RequestLimits form={form} />
      </Stack>
    </Card>
  );
}

/** Choice of the connection that gives the request its token. */
function ConnectionField({ form }: { form: Form }) {
  const { data = [] } = useRead<{ id: string; name: string }[]>("/connections");
  return (
    <Select
      label={t`Connection`}
      description={t`Its token is put into the request, at its provider’s servers alone.`}
      placeholder={t`None`}
      clearable
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      {...form.getInputProps("connectionId")}
    />
  );
}

function RequestLimits({ form }: { form: Form }) {
  return (
    <>
      <Group grow align="flex-start">
        <NumberInput
          label={t`Request timeout, s`}
          placeholder="15"
          min={1}
          max={120}
          allowDecimal={false}
          {...form.getInputProps("apiTimeoutSeconds")}
        />
        <NumberInput
          label={t`Whole call, s`}
          placeholder="30"
          min={1}
          max={600}
          allowDecimal={false}
          {...form.getInputProps("toolCallTimeoutSeconds")}
        />
      </Group>
      <TagsInput
        label={t`Hosts it may reach`}
        description={t`Needed when the host itself is a template. Press Enter after each.`}
        placeholder="*.example.com"
        {...form.getInputProps("networkAllowList")}
      />
    </>
  );
}
