import { ActionIcon, Badge, Grid, Stack, Tooltip } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { StructuredOutput } from "@parley/sdk";
import { useLocation } from "wouter";
import { useWrite } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { FlowUsersCard } from "#web/domain/flow/flow-users-card.tsx";
import { OutputFields } from "#web/domain/output/output-fields.tsx";
import {
  findOutputFaults,
  type OutputForm,
  type OutputValues,
  toOutputBody,
  toOutputValues,
} from "#web/domain/output/output-values.ts";
import { asksFor, OUTPUTS_PATH, readSchema } from "#web/domain/output/output.ts";
import { SchemaPreview } from "#web/domain/output/schema-preview.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FormPage } from "#web/ui/form/form-page.tsx";
import { BUILDERS_ONLY, PlainFieldset } from "#web/ui/form/plain-fieldset.tsx";
import { usePrecondition } from "#web/ui/form/use-precondition.ts";
import "#web/domain/flow/flow.css";
import { Icon } from "#web/ui/icon.tsx";
import { Page } from "#web/ui/page.tsx";
import { useOpenMade } from "#web/ui/use-open-made.ts";
import { useUndoableRemoval } from "#web/ui/use-removal.ts";

interface EditorProps {
  /** Null: a new one. */
  output: StructuredOutput | null;
  reload: () => Promise<StructuredOutput | null>;
}

/** Editor of an output: name and schema at the left, a preview as a form at the right. */
export function OutputEditor({ output, reload }: EditorProps) {
  const form: OutputForm = useForm<OutputValues>({ initialValues: toOutputValues(output), validate: findOutputFaults });
  const save = useSave(form, output);
  const mayWrite = useMay("STRUCTURED_OUTPUTS_WRITE");
  const schema = readSchema(form.getValues().schema);
  return (
    <Page
      title={output?.name ?? t`New structured output`}
      badge={
        output && (
          <Badge variant="light" color="gray" radius="sm" tt="none">
            {`v${output.version}`}
          </Badge>
        )
      }
      back={{ href: "/outputs", label: t`Structured outputs` }}
      actions={output && mayWrite && <RemoveButton output={output} />}
    >
      <FormPage
        form={form}
        save={save}
        isNew={output === null}
        reload={async () => toOutputValues(await reload())}
        canSave={mayWrite}
        saveLabel={output ? t`Save` : t`Create`}
      >
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <PlainFieldset isReadOnly={!mayWrite} reason={BUILDERS_ONLY}>
              <Card title={t`Fields to collect`}>
                <OutputFields form={form} />
              </Card>
            </PlainFieldset>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Stack>
              <Card title={t`As a form`}>
                <SchemaPreview schema={schema} />
              </Card>
              {output && (
                <FlowUsersCard
                  names={asksFor(output.id)}
                  none={t`No flow asks for it. Choose it in a flow, under “Capabilities”.`}
                />
              )}
            </Stack>
          </Grid.Col>
        </Grid>
      </FormPage>
    </Page>
  );
}

function RemoveButton({ output }: { output: StructuredOutput }) {
  const [, navigate] = useLocation();
  const remove = useUndoableRemoval<StructuredOutput>({
    list: OUTPUTS_PATH,
    message: ({ name }) => t`${name} is deleted. Flows do without it from their next session on.`,
    failed: ({ name }) => t`${name} was not deleted`,
    after: () => navigate("/outputs"),
  });
  return (
    <Tooltip label={t`Delete`}>
      <ActionIcon variant="default" size={36} aria-label={t`Delete ${output.name}`} onClick={() => remove(output)}>
        <Icon name="trash" />
      </ActionIcon>
    </Tooltip>
  );
}

function useSave(
  form: OutputForm,
  output: StructuredOutput | null,
): (values: OutputValues, isForced: boolean) => Promise<unknown> {
  const openMade = useOpenMade();
  const base = usePrecondition(form, {
    key: `output ${output?.id ?? t`new`}`,
    version: output?.updatedAt ?? null,
    toValues: () => toOutputValues(output),
  });
  const write = useWrite<StructuredOutput, { values: OutputValues; isForced: boolean }>({
    failed: t`The output was not saved`,
    method: output ? "PUT" : "POST",
    path: ({ isForced }) => {
      const seenAt = base.version();
      if (!output) return OUTPUTS_PATH;
      const path = `${OUTPUTS_PATH}/${output.id}`;
      return isForced || seenAt === null ? path : `${path}?ifUpdatedAt=${encodeURIComponent(seenAt)}`;
    },
    body: ({ values }) => toOutputBody(values),
    refreshes: [OUTPUTS_PATH],
  });
  return async (values, isForced) => {
    const saved = await write.mutateAsync({ values, isForced });
    base.note(saved.updatedAt);
    if (output) return;
    form.resetDirty(values);
    openMade({ path: `/outputs/${saved.id}`, done: t`${saved.name} is there.`, replace: true });
  };
}
