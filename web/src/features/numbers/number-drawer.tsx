import { Alert, Button, Drawer, Group, NumberInput, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { PhoneNumber } from "@parley/sdk";
import { lazy, Suspense, useState } from "react";
import { useWrite } from "#web/api/queries.ts";
import { showDone, showUndo, notifyResult } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { useFlowChoices } from "#web/domain/flow/use-flow-choices.ts";
import { NUMBERS_PATH, troubleOf } from "#web/domain/number/number.ts";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { pickFields } from "#web/ui/form/merge-fields.ts";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { useIsShown } from "#web/ui/use-is-shown.ts";
import { useRemoval } from "#web/ui/use-removal.ts";
import { NumberFacts } from "./number-facts.tsx";
import { toTrunk, toTrunkValues, TrunkFields, type TrunkValues } from "./trunk-fields.tsx";

const PlaceCallDrawer = lazy(async () => ({
  default: (await import("#web/domain/call/place-call-drawer.tsx")).PlaceCallDrawer,
}));

type Values = {
  label: string;
  maxConcurrentCalls: number | string;
  callsPerSecond: number | string;
  inboundFlowId: string | null;
  isDefault: boolean;
  sipTrunk: TrunkValues;
};

/** Drawer of a number: its health and its settings. Only changed settings are sent. */
export function NumberDrawer({ number, close }: { number: PhoneNumber; close: () => void }) {
  const mayWrite = useMay("PHONE_NUMBERS_WRITE");
  const mayCall = useMay("OUTBOUND_CALLS_TRIGGER") && number.status === "ACTIVE";
  const [isTesting, setTesting] = useState(false);
  const trouble = troubleOf(number);
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={500}
      title={
        <Group gap="sm">
          <Text fw={600}>
            <Phone number={number.phoneNumber} />
          </Text>
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
        {mayCall && (
          <Button variant="default" leftSection={<Icon name="phone" />} onClick={() => setTesting(true)}>
            {t`Test call`}
          </Button>
        )}
        {mayWrite && <NumberForm number={number} close={close} />}
        {mayWrite && <NumberActions number={number} close={close} />}
      </Stack>
      {/* Above the form, which keeps what was typed into it. */}
      <Suspense fallback={null}>
        {isTesting && (
          <PlaceCallDrawer close={() => setTesting(false)} initial={{ fromPhoneNumber: number.phoneNumber }} />
        )}
      </Suspense>
    </Drawer>
  );
}

function NumberForm({ number, close }: { number: PhoneNumber; close: () => void }) {
  const flows = useFlowChoices();
  const { form, isSending, fault, submit, staleDialog } = useNumberForm(number, close);
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <FormFault fault={fault} />
        {staleDialog}
        <TextInput label={t`Label`} maxLength={200} placeholder={t`Reception`} {...form.getInputProps("label")} />
        <Group grow align="flex-start">
          <NumberInput
            label={t`Calls at once`}
            description={t`More wait their turn.`}
            min={1}
            max={10_000}
            allowDecimal={false}
            required
            {...form.getInputProps("maxConcurrentCalls")}
          />
          <NumberInput
            label={t`Calls a second`}
            description={t`Empty: its account's pace.`}
            min={0.01}
            max={1_000}
            step={0.5}
            {...form.getInputProps("callsPerSecond")}
          />
        </Group>
        <Select
          label={t`Answers calls and messages`}
          description={t`The flow for whoever calls or writes to this number.`}
          placeholder={t`The default flow`}
          clearable
          searchable
          data={flows}
          {...form.getInputProps("inboundFlowId")}
        />
        <Switch
          label={t`Default number`}
          description={t`Calls that name no number come from it.`}
          {...form.getInputProps("isDefault", { type: "checkbox" })}
        />
        {number.provider === "BYO_SIP" && <TrunkFields form={form} />}
        <Button type="submit" loading={isSending} disabled={!form.isDirty()}>
          {t`Save`}
        </Button>
      </Stack>
    </form>
  );
}

function useNumberForm(number: PhoneNumber, close: () => void) {
  const write = useWrite<PhoneNumber, Based<PhoneNumber>>({
    failed: t`${number.phoneNumber} was not saved`,
    method: "PUT",
    path: ({ base }) => `${NUMBERS_PATH}/${number.id}${ifUnchanged(base)}`,
    body: ({ body }) => body,
    refreshes: [NUMBERS_PATH],
  });
  const form = useForm<Values>({ initialValues: toValues(number) });
  const isShown = useIsShown();
  const find = (all: PhoneNumber[]) => all.find(({ id }) => id === number.id);
  const guard = { stored: number, toValues, path: NUMBERS_PATH, find, keptAs: `number ${number.id}` };
  const sent = useGuardedSubmit<PhoneNumber, Values>(form, guard, async (values, base) => {
    const changed = Object.entries(toBody(values)).filter(([name]) => form.isDirty(name));
    const saved = await write.mutateAsync({ body: Object.fromEntries(changed), base });
    form.setInitialValues(values);
    form.resetDirty(values);
    if (base === null || changed.some(([name]) => name === "sipTrunk")) {
      showDone(t`Saved.`);
    } else {
      const before = pickFields(
        toBody(toValues(base)),
        changed.map(([name]) => name),
      );
      // A replaced password is gone, so a trunk's settings have no undo. After an undo the fields are outdated, so the
      // drawer closes, unless another number's drawer was opened since.
      showUndo(t`Saved.`, () =>
        write.mutateAsync({ body: before, base: saved }).then(() => isShown.current && close()),
      );
    }
    return saved;
  });
  return { form, ...sent };
}

function NumberActions({ number, close }: { number: PhoneNumber; close: () => void }) {
  const write = useWrite<PhoneNumber, "ACTIVE" | "SUSPENDED">({
    failed: t`${number.phoneNumber} was not changed`,
    method: "PUT",
    path: `${NUMBERS_PATH}/${number.id}`,
    body: (status) => ({ status }),
    refreshes: [NUMBERS_PATH],
  });
  const release = useRemoval<PhoneNumber>({
    path: ({ id }) => `${NUMBERS_PATH}/${id}`,
    name: ({ phoneNumber }) => phoneNumber,
    warning: number.providerInfo.simulated
      ? t`The workspace no longer has it. It can be added again.`
      : t`One that was bought here is given back to its carrier, and may go to somebody else.`,
    refreshes: [NUMBERS_PATH],
    texts: {
      action: t`Release`,
      title: (name) => t`Release ${name}?`,
      failed: (name) => t`${name} was not released`,
      done: (name) => t`${name} is released.`,
    },
    after: close,
  });
  const set = (status: "ACTIVE" | "SUSPENDED", done: string) => {
    // A switch cannot undo a suspension or refusal by the carrier.
    const before = number.status === "ACTIVE" || number.suspendedBy === "OPERATOR" ? number.status : null;
    const notify = () =>
      before === "ACTIVE" || before === "SUSPENDED" ? showUndo(done, () => write.mutateAsync(before)) : showDone(done);
    notifyResult(write.mutateAsync(status), notify);
  };
  return (
    <Group justify="space-between">
      {number.status === "ACTIVE" ? (
        <Button
          variant="default"
          leftSection={<Icon name="pause" />}
          loading={write.isPending}
          onClick={() => set("SUSPENDED", t`No new calls leave from it.`)}
        >
          {t`Suspend`}
        </Button>
      ) : (
        number.status !== "PENDING" && (
          <Button
            variant="default"
            leftSection={<Icon name="play" />}
            loading={write.isPending}
            onClick={() => set("ACTIVE", t`The number is tried again.`)}
          >
            {t`Activate`}
          </Button>
        )
      )}
      <Button variant="light" color="red" leftSection={<Icon name="trash" />} onClick={() => void release(number)}>
        {t`Release`}
      </Button>
    </Group>
  );
}

function toValues(number: PhoneNumber): Values {
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
