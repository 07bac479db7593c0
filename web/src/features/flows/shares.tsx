import { Alert, Button, Group, Select, Stack, Text } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useState } from "react";
import { useAllRows } from "#web/api/all-rows.ts";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import type { FlowEditing, FlowVersionEntry, Split } from "#web/domain/flow/flow.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { CountField } from "#web/ui/form/count-field.tsx";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { type Based, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { VersionResults } from "./version-results.tsx";

/** Shares of the versions for new sessions, and what came of each. */
export function Shares({ editing }: { editing: FlowEditing }) {
  // Shares edited here stay on the screen even when the stored ones change.
  const [begun, setBegun] = useState<FlowEditing | null>(null);
  const shown = begun ?? editing;
  return (
    <Stack>
      <ShareForm
        key={JSON.stringify([shown.flow.version, shown.splits])}
        editing={shown}
        begin={() => setBegun(shown)}
        done={() => setBegun(null)}
      />
      <VersionResults apiId={editing.flow.apiId} />
    </Stack>
  );
}

type Values = { shares: Split[] };

function toValues({ flow, splits }: FlowEditing): Values {
  return { shares: splits ?? [{ version: flow.version, percent: 100 }] };
}

function ShareForm({ editing, begin, done }: { editing: FlowEditing; begin: () => void; done: () => void }) {
  const { flow, splits } = editing;
  const mayWrite = useMay("FLOWS_WRITE");
  const versions = useAllRows<FlowVersionEntry>(`/flows/${flow.id}/versions`);
  const form = useForm<Values>({ initialValues: toValues(editing) });
  const { isSending, fault, submit, staleDialog } = useSave(form, editing, done);
  const { shares } = form.getValues();
  const unused = versions.data?.find(({ version }) => !shares.some((share) => share.version === version));
  const set = (next: Split[]) => {
    begin();
    form.setFieldValue("shares", next);
  };
  return (
    <Card title={t`Who takes which version`}>
      <Stack gap="sm">
        <Text fz="sm" c="dimmed">
          {splits
            ? t`New sessions are split between these versions. The next publication ends the split, or begins a new one if its own share is below 100 %.`
            : t`Every new session takes version ${flow.version}.`}
        </Text>
        {shares.map((share, index) => (
          <ShareRow
            key={index}
            share={share}
            number={index + 1}
            versions={versions.data ?? []}
            change={(next) => set(shares.map((one, i) => (i === index ? { ...one, ...next } : one)))}
            remove={shares.length > 1 ? () => set(shares.filter((_, i) => i !== index)) : null}
          />
        ))}
        <FormFault fault={fault} />
        {staleDialog}
        {mayWrite && (
          <SaveShares
            shares={shares}
            isSending={isSending}
            save={() => void submit({ shares })}
            add={unused && (() => set([...shares, { version: unused.version, percent: 0 }]))}
          />
        )}
      </Stack>
    </Card>
  );
}

function useSave(form: UseFormReturnType<Values>, editing: FlowEditing, done: () => void) {
  const { id, version } = editing.flow;
  const write = useWrite<Pick<FlowEditing, "splits">, Based<FlowEditing, Split[]>>({
    failed: t`The shares were not saved`,
    method: "PUT",
    path: `/flows/${id}/split`,
    body: ({ body, base }) => ({
      splits: body.length === 1 && body[0]?.version === version ? null : body,
      before: { splits: base?.splits },
    }),
    refreshes: ["/flows"],
  });
  const guard = { stored: editing, toValues, path: `/flows/${id}/editing` };
  return useGuardedSubmit<FlowEditing, Values>(form, guard, async ({ shares }, base) => {
    const { splits } = await write.mutateAsync({ body: shares, base });
    showDone(t`Saved. New sessions are split this way.`);
    done();
    return { ...(base ?? editing), splits };
  });
}

interface SaveProps {
  shares: Split[];
  isSending: boolean;
  save: () => void;
  add: (() => void) | undefined;
}

function SaveShares({ shares, isSending, save, add }: SaveProps) {
  const sum = shares.reduce((total, { percent }) => total + percent, 0);
  return (
    <>
      {sum !== 100 && (
        <Alert color="orange" variant="light">
          {t`The shares come to ${sum} %. They must come to 100 %.`}
        </Alert>
      )}
      <Group>
        <Button variant="default" disabled={add === undefined || shares.length >= 20} onClick={add}>
          {t`Add a version`}
        </Button>
        <Button disabled={sum !== 100} loading={isSending} onClick={save}>
          {t`Save shares`}
        </Button>
      </Group>
    </>
  );
}

function ShareRow(props: {
  share: Split;
  number: number;
  versions: FlowVersionEntry[];
  change: (next: Partial<Split>) => void;
  remove: (() => void) | null;
}) {
  const { share, number, versions, change, remove } = props;
  const numbers = [...new Set([share.version, ...versions.map(({ version }) => version)])];
  return (
    <Group gap="xs" wrap="nowrap">
      <Select
        aria-label={t`Version of share ${number}`}
        data={numbers.map((version) => ({ value: String(version), label: t`Version ${version}` }))}
        allowDeselect={false}
        maw={200}
        value={String(share.version)}
        onChange={(next) => next !== null && change({ version: Number(next) })}
      />
      <CountField
        aria-label={t`Percent of share ${number}`}
        min={1}
        max={100}
        usual={1}
        suffix=" %"
        maw={110}
        value={share.percent}
        change={(percent) => change({ percent })}
      />
      {remove && (
        <Button variant="subtle" color="gray" size="compact-sm" style={{ flexShrink: 0 }} onClick={remove}>
          {t`Remove`}
        </Button>
      )}
    </Group>
  );
}
