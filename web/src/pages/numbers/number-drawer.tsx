import { Alert, Button, Drawer, Group, NumberInput, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Flow, Page } from "@parley/sdk";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { useRemoval } from "#web/api/use-removal.ts";
import { useMay } from "#web/api/workspace.tsx";
import { FormFault } from "#web/form/form-fault.tsx";
import { useSubmit } from "#web/form/use-submit.ts";
import { Icon } from "#web/ui/icon.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { NumberFacts } from "./number-facts.tsx";
import { NUMBERS_PATH, type OwnNumber, troubleOf } from "./number.ts";
import { toTrunk, toTrunkValues, TrunkFields, type TrunkValues } from "./trunk-fields.tsx";

type Values = {
  label: string;
  maxConcurrentCalls: number | string;
  callsPerSecond: number | string;
  inboundFlowId: string | null;
  isDefault: boolean;
  sipTrunk: TrunkValues;
};

/** One number: how it does, and what can be set. Only what was changed is sent. */
export function NumberDrawer({ number, close }: { number: OwnNumber; close: () => void }) {
  const mayWrite = useMay("PHONE_NUMBERS_WRITE");
  const trouble = troubleOf(number);
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={500}
      title={
        <Group gap="sm">
          <Text fw={600}>{number.phoneNumber}</Text>
          <StatusBadge status={number.status} />
        </Group>
      }
    >
      <Stack>
        {trouble && (
          <Alert color={number.status === "FAILED" ? "red" : "orange"} variant="light" icon={<Icon name="alert" />}>
            {trouble}
          </Alert>
        )}
        <NumberFacts number={number} />
        {mayWrite && <NumberForm number={number} />}
        {mayWrite && <NumberActions number={number} close={close} />}
      </Stack>
    </Drawer>
  );
}

function NumberForm({ number }: { number: OwnNumber }) {
  const flows = useRead<Page<Flow>>("/flows", { size: 200 });
  const write = useWrite<OwnNumber, object>({
    method: "PUT",
    path: `${NUMBERS_PATH}/${number.id}`,
    refreshes: [NUMBERS_PATH],
  });
  const form = useForm<Values>({ initialValues: toValues(number) });
  const { isSending, fault, submit } = useSubmit(form, async (values) => {
    const changed = Object.entries(toBody(values)).filter(([name]) => form.isDirty(name));
    await write.mutateAsync(Object.fromEntries(changed));
    form.resetDirty(values);
    showDone("Saved.");
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <FormFault fault={fault} />
        <TextInput label="Label" maxLength={200} placeholder="Reception" {...form.getInputProps("label")} />
        <Group grow align="flex-start">
          <NumberInput
            label="Calls at once"
            description="More wait their turn."
            min={1}
            max={10_000}
            allowDecimal={false}
            required
            {...form.getInputProps("maxConcurrentCalls")}
          />
          <NumberInput
            label="Calls a second"
            description="Empty: its account's pace."
            min={0.01}
            max={1_000}
            step={0.5}
            {...form.getInputProps("callsPerSecond")}
          />
        </Group>
        <Select
          label="Answers calls and messages"
          description="The flow for whoever calls or writes to this number."
          placeholder="The default flow"
          clearable
          searchable
          data={(flows.data?.content ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps("inboundFlowId")}
        />
        <Switch
          label="Default number"
          description="Calls that name no number come from it."
          {...form.getInputProps("isDefault", { type: "checkbox" })}
        />
        {number.provider === "BYO_SIP" && <TrunkFields form={form} />}
        <Button type="submit" loading={isSending} disabled={!form.isDirty()}>
          Save
        </Button>
      </Stack>
    </form>
  );
}

function NumberActions({ number, close }: { number: OwnNumber; close: () => void }) {
  const write = useWrite<OwnNumber, "ACTIVE" | "SUSPENDED">({
    method: "PUT",
    path: `${NUMBERS_PATH}/${number.id}`,
    body: (status) => ({ status }),
    refreshes: [NUMBERS_PATH],
  });
  const release = useRemoval<OwnNumber>({
    path: ({ id }) => `${NUMBERS_PATH}/${id}`,
    name: ({ phoneNumber }) => phoneNumber,
    warning: number.providerInfo.simulated
      ? "The workspace no longer has it. It can be added again."
      : "One that was bought here is given back to its carrier, and may go to somebody else.",
    refreshes: [NUMBERS_PATH],
    action: "Release",
    done: "released",
    after: close,
  });
  const set = (status: "ACTIVE" | "SUSPENDED", done: string) =>
    write.mutate(status, { onSuccess: () => showDone(done), onError: (error) => showFault(error) });
  return (
    <Group justify="space-between">
      {number.status === "ACTIVE" ? (
        <Button
          variant="default"
          leftSection={<Icon name="pause" />}
          loading={write.isPending}
          onClick={() => set("SUSPENDED", "No new calls leave from it.")}
        >
          Suspend
        </Button>
      ) : (
        number.status !== "PENDING" && (
          <Button
            variant="default"
            leftSection={<Icon name="play" />}
            loading={write.isPending}
            onClick={() => set("ACTIVE", "The number is tried again.")}
          >
            Activate
          </Button>
        )
      )}
      <Button variant="light" color="red" leftSection={<Icon name="trash" />} onClick={() => void release(number)}>
        Release
      </Button>
    </Group>
  );
}

function toValues(number: OwnNumber): Values {
  return {
    label: number.label ?? "",
    maxConcurrentCalls: number.maxConcurrentCalls,
    callsPerSecond: number.callsPerSecond ?? "",
    inboundFlowId: number.inboundFlowId,
    isDefault: number.isDefault,
    sipTrunk: toTrunkValues(number.sipTrunk),
  };
}

function toBody({ label, callsPerSecond, sipTrunk, ...rest }: Values): Record<string, unknown> {
  return {
    ...rest,
    label: label.trim() || null,
    callsPerSecond: callsPerSecond === "" ? null : callsPerSecond,
    sipTrunk: toTrunk(sipTrunk),
  };
}
