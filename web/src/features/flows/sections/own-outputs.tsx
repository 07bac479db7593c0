import { ActionIcon, Button, Group, Stack, Text } from "@mantine/core";
import type { StructuredOutput } from "@parley/sdk";
import { useState } from "react";
import { useWrite } from "#web/api/queries.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { type OutputValues, toOutputBody, toOutputValues } from "#web/domain/output/output-values.ts";
import { fieldsOf, OUTPUTS_PATH, readSchema } from "#web/domain/output/output.ts";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Words } from "#web/ui/words.tsx";
import type { FlowFormType } from "./flow-values.ts";
import { OwnOutputDialog } from "./own-output-dialog.tsx";

/** A flow's own outputs: edited in place, or turned into shared ones for other flows. */
export function OwnOutputs({ form }: { form: FlowFormType }) {
  const outputs = form.getValues().structuredOutputs;
  const [opened, open] = useState<number | null>(null);
  const share = useSharing(form);
  const keep = (values: OutputValues) => {
    if (opened === outputs.length) form.insertListItem("structuredOutputs", values);
    else form.setFieldValue(`structuredOutputs.${opened}`, values);
    open(null);
  };
  return (
    <Stack gap={6} role="group" aria-label={t`Flow-only outputs`}>
      <Text fz="sm" fw={500}>
        {t`Flow-only outputs`}
      </Text>
      <Text fz="xs" c="dimmed">
        {t`Structured outputs that only this flow has. One that is shared can be chosen by other flows.`}
      </Text>
      {outputs.map((output, index) => (
        <OwnOutput
          key={index}
          output={output}
          fault={faultOf(form, index)}
          edit={() => open(index)}
          share={share === null ? null : () => share(index)}
          remove={() => form.removeListItem("structuredOutputs", index)}
        />
      ))}
      <Button
        size="compact-sm"
        variant="default"
        w="fit-content"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => open(outputs.length)}
      >
        {t`Add a flow-only output`}
      </Button>
      {opened !== null && (
        <OwnOutputDialog
          initial={outputs[opened] ?? toOutputValues(null)}
          taken={outputs.filter((_, index) => index !== opened).map(({ name }) => name)}
          keep={keep}
          close={() => open(null)}
        />
      )}
    </Stack>
  );
}

function OwnOutput(props: {
  output: OutputValues;
  fault: string | null;
  edit: () => void;
  share: (() => void) | null;
  remove: () => void;
}) {
  const { output, fault, edit, share, remove } = props;
  const fields = fieldsOf(readSchema(output.schema)).map(({ name }) => name);
  return (
    <Group gap="xs" justify="space-between">
      <div className="shrink">
        <Text fz="sm" fw={550}>
          <Words>{output.name}</Words>
        </Text>
        <Text fz="xs" c="dimmed" ff="monospace" className="break">
          {fields.slice(0, 8).join(", ")}
          {fields.length > 8 && ` + ${fields.length - 8}`}
        </Text>
        {fault !== null && (
          <Text fz="xs" c="red" role="alert">
            {fault}
          </Text>
        )}
      </div>
      <Group gap={6} wrap="nowrap">
        <Button size="compact-sm" variant="default" aria-label={t`Edit ${output.name}`} onClick={edit}>
          {t`Edit`}
        </Button>
        {share && (
          <Button size="compact-sm" variant="default" aria-label={t`Share ${output.name}`} onClick={share}>
            {t`[verb] Share`}
          </Button>
        )}
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={t`Remove ${output.name}`} onClick={remove}>
          <Icon name="trash" />
        </ActionIcon>
      </Group>
    </Group>
  );
}

/** Server's fault for one of the outputs; null when there is none. */
function faultOf({ errors }: FlowFormType, index: number): string | null {
  const start = `structuredOutputs.${index}.`;
  const found = Object.entries(errors).find(([path]) => path.startsWith(start));
  return found ? `${found[0].slice(start.length)}: ${found[1] as string}` : null;
}

/** Returns a function that turns an own output into a shared one used by the flow; null without permission. */
function useSharing(form: FlowFormType): ((index: number) => void) | null {
  const mayWrite = useMay("STRUCTURED_OUTPUTS_WRITE");
  const write = useWrite<StructuredOutput, OutputValues>({
    failed: ({ name }) => t`${name} was not shared`,
    method: "POST",
    path: OUTPUTS_PATH,
    body: toOutputBody,
    refreshes: [OUTPUTS_PATH],
  });
  const share = async (index: number) => {
    const output = form.getValues().structuredOutputs[index];
    if (!output) return;
    const { id } = await write.mutateAsync(output);
    const { structuredOutputs, structuredOutputIds } = form.getValues();
    form.setValues({
      structuredOutputs: structuredOutputs.filter((one) => one !== output),
      structuredOutputIds: [...structuredOutputIds, id],
    });
    showDone(t`${output.name} is a structured output of the workspace. Save the draft, so that the flow names it.`);
  };
  return mayWrite ? (index) => void share(index).catch(showFault) : null;
}
