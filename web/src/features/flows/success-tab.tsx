import { ActionIcon, Anchor, Button, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Flow, FlowSuccess, StageCondition } from "@parley/sdk";
import { useState } from "react";
import { Link } from "wouter";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { BUILDERS_ONLY, PlainFieldset } from "#web/ui/form/plain-fieldset.tsx";
import { type Based, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { FieldCondition } from "./stages/condition-fields.tsx";
import type { FlowParts } from "./stages/use-flow-parts.ts";

const MOST = 10;

interface SuccessProps {
  flow: Pick<Flow, "id" | "apiId">;
  parts: FlowParts;
}

type Condition = NonNullable<FlowSuccess["conditions"]>[number];

/** Edits the conditions under which Analytics counts a call of the flow as a success. */
export function SuccessTab({ flow, parts }: SuccessProps) {
  const read = useRead<FlowSuccess>(`/flows/${flow.id}/success`);
  // What is edited here stays on the screen even when the stored conditions change.
  const [begun, setBegun] = useState<FlowSuccess | null>(null);
  return (
    <Card title={t`What counts as a success`}>
      <Loaded read={read}>
        {(stored) => {
          const shown = begun ?? stored;
          const edit = { begin: () => setBegun(shown), done: () => setBegun(null) };
          return <SuccessForm key={JSON.stringify(shown)} {...{ flow, parts, stored: shown, ...edit }} />;
        }}
      </Loaded>
    </Card>
  );
}

type Values = { conditions: Condition[] };

function toValues({ conditions }: FlowSuccess): Values {
  return { conditions: conditions ?? [] };
}

function SuccessForm(props: SuccessProps & { stored: FlowSuccess; begin: () => void; done: () => void }) {
  const { flow, parts, stored, begin, done } = props;
  const mayWrite = useMay("FLOWS_WRITE");
  const form = useForm<Values>({ initialValues: toValues(stored) });
  const { isSending, fault, submit, staleDialog } = useSave(form, flow.id, stored, done);
  const { conditions } = form.getValues();
  const set = (next: Condition[]) => {
    begin();
    form.setFieldValue("conditions", next);
  };
  return (
    <Stack>
      <Text fz="sm">
        {conditions.length === 0
          ? t`A call succeeds when the person spoke, the call is completed, no limit cut it off, its outputs are valid and not all empty, and no tool was left failed.`
          : t`A call succeeds when a person answered and all of these hold. They hold for every version, and for the calls of the past.`}
      </Text>
      <PlainFieldset isReadOnly={!mayWrite} reason={BUILDERS_ONLY}>
        <Stack>
          {conditions.map((condition, index) => (
            <ConditionRow
              key={index}
              condition={condition}
              number={index + 1}
              parts={parts}
              change={(next) => set(conditions.map((one, i) => (i === index ? next : one)))}
              remove={() => set(conditions.filter((_, i) => i !== index))}
            />
          ))}
        </Stack>
      </PlainFieldset>
      <FormFault fault={fault} />
      {staleDialog}
      {mayWrite && (
        <Group>
          <Button
            variant="default"
            disabled={conditions.length >= MOST}
            onClick={() => set([...conditions, { field: "", operator: "IS_SET" }])}
          >
            {t`Add a condition`}
          </Button>
          <Button
            loading={isSending}
            disabled={!form.isDirty() || conditions.some(({ field }) => field === "")}
            onClick={() => void submit({ conditions })}
          >
            {t`Save success`}
          </Button>
        </Group>
      )}
      <Anchor component={Link} href={`/analytics?flowApiId=${encodeURIComponent(flow.apiId)}`} fz="sm">
        {t`Results of this flow`}
      </Anchor>
    </Stack>
  );
}

function useSave(form: ReturnType<typeof useForm<Values>>, flowId: string, stored: FlowSuccess, done: () => void) {
  const path = `/flows/${flowId}/success`;
  const write = useWrite<FlowSuccess, Based<FlowSuccess, Condition[]>>({
    failed: t`What counts as a success was not saved`,
    method: "PUT",
    path,
    body: ({ body, base }) => ({ conditions: body, before: { conditions: base?.conditions } }),
    refreshes: [path, "/results"],
  });
  const guard = { stored, toValues, path };
  return useGuardedSubmit<FlowSuccess, Values>(form, guard, async ({ conditions }, base) => {
    const saved = await write.mutateAsync({ body: conditions, base });
    showDone(t`Saved. The calls there are so far are counted anew.`);
    done();
    return saved;
  });
}

function ConditionRow(props: {
  condition: Condition;
  number: number;
  parts: FlowParts;
  change: (condition: Condition) => void;
  remove: () => void;
}) {
  const { condition, number, parts, change, remove } = props;
  const toCondition = ({ field, operator, value }: StageCondition): Condition => ({
    field: field ?? "",
    operator: operator ?? "IS_SET",
    ...(value === undefined ? {} : { value }),
  });
  return (
    <Group role="group" aria-label={t`Condition ${number}`} wrap="nowrap" align="flex-end">
      <SimpleGrid cols={{ base: 1, sm: 3 }} flex={1}>
        <FieldCondition
          when={{ type: "FIELD", ...condition }}
          change={(when) => change(toCondition(when))}
          parts={parts}
        />
      </SimpleGrid>
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={t`Remove condition ${number}`} onClick={remove}>
        <Icon name="trash" />
      </ActionIcon>
    </Group>
  );
}
