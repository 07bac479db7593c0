import { Autocomplete, Group, Select, Text, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import type { PhoneNumber, QueuedCall } from "@parley/sdk";
import { showExactly } from "#web/api/exact-json.ts";
import { useRead, useWrite } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { useFlowChoices } from "#web/domain/flow/use-flow-choices.ts";
import { NUMBERS_PATH } from "#web/domain/number/number.ts";
import { useNumberOptions } from "#web/domain/number/use-number-options.ts";
import { t } from "#web/i18n/t.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import { StartDrawer } from "#web/ui/form/start-drawer.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { SnippetTabs } from "#web/ui/snippet-tabs.tsx";
import { useOpenMade } from "#web/ui/use-open-made.ts";
import { CallCheck, useCallCheck } from "./call-check.tsx";
import { checkJson, type PlaceCallValues, toPlaceCall } from "./place-call.ts";
import { isSandboxNumber, SANDBOX_NUMBERS } from "./sandbox-numbers.ts";

const EMPTY: PlaceCallValues = {
  customerNumber: "",
  flowApiId: null,
  fromPhoneNumber: null,
  contactName: "",
  rowData: "{}",
  contextData: "{}",
};

/** Drawer that places a call and opens it. */
export function PlaceCallDrawer({ close, initial = {} }: { close: () => void; initial?: Partial<PlaceCallValues> }) {
  const openMade = useOpenMade();
  const write = useWrite<QueuedCall, object>({
    failed: t`The call was not placed`,
    method: "POST",
    path: "/outbound/calls",
    refreshes: ["/call-history"],
  });
  const { mode } = useWorkspace();
  const mayDial = useDialCheck();
  const form = useForm<PlaceCallValues>({
    initialValues: { ...EMPTY, customerNumber: mode === "SANDBOX" ? "+12025550100" : "", ...initial },
    validate: { rowData: checkJson, contextData: checkJson },
  });
  const check = useCallCheck(form.getValues());
  const start = async (values: PlaceCallValues) => {
    if (!(await mayDial(values.customerNumber, check.data?.firstCall?.openings[0]?.text ?? null))) return false;
    const { rowId } = await write.mutateAsync(toPlaceCall(values));
    openMade({ path: `/calls/${rowId}`, done: t`The call is queued.`, close });
    return true;
  };
  return (
    <StartDrawer
      title={t`Place a call`}
      {...{ form, start, close }}
      keptAs={`call ${JSON.stringify(initial)}`}
      action={mode === "SANDBOX" ? t`Call (simulated)` : t`[verb] Call`}
      snippets={<PlaceCallSnippets values={form.getValues()} />}
    >
      <PlaceCallFields form={form} />
      <CallCheck check={check} />
    </StartDrawer>
  );
}

function PlaceCallFields({ form }: { form: UseFormReturnType<PlaceCallValues> }) {
  const flows = useFlowChoices("apiId");
  return (
    <>
      <Autocomplete
        label={t`Number to call`}
        description={t`E.164. Numbers from the list are simulated people: nothing rings.`}
        required
        data={SANDBOX_NUMBERS.map(({ number }) => number)}
        renderOption={({ option }) => <SandboxOption number={option.value} />}
        {...form.getInputProps("customerNumber")}
      />
      <Select
        label={t`Flow`}
        description={t`The workspace's default when none is chosen.`}
        placeholder={t`Default flow`}
        clearable
        searchable
        data={flows}
        {...form.getInputProps("flowApiId")}
      />
      <Select
        label={t`From`}
        description={t`The number that is shown to the person.`}
        placeholder={t`The default number`}
        clearable
        searchable
        {...useCallingNumbers(form.getValues().fromPhoneNumber)}
        {...form.getInputProps("fromPhoneNumber")}
      />
      <TextInput label={t`Name of the contact`} maxLength={500} {...form.getInputProps("contactName")} />
      <TextEditor
        label={t`Row data`}
        description={t`What the agent may know: variables of the prompt.`}
        language="json"
        minHeight={90}
        {...form.getInputProps("rowData")}
      />
      <TextEditor
        label={t`Context data`}
        description={t`Comes back unchanged with the result.`}
        language="json"
        minHeight={90}
        {...form.getInputProps("contextData")}
      />
    </>
  );
}

/** Choices of the numbers that can place calls, and of the chosen one. */
function useCallingNumbers(chosen: string | null) {
  const { data = [] } = useRead<PhoneNumber[]>(NUMBERS_PATH);
  const usable = data.filter(({ status, phoneNumber }) => status === "ACTIVE" || phoneNumber === chosen);
  const isKnown = chosen === null || usable.some(({ phoneNumber }) => phoneNumber === chosen);
  const unknown = isKnown ? [] : [{ id: chosen, phoneNumber: chosen, label: null }];
  return useNumberOptions([...unknown, ...usable], "phoneNumber");
}

function SandboxOption({ number }: { number: string }) {
  return (
    <Group justify="space-between" w="100%" wrap="nowrap">
      <Text fz="sm">
        <Phone number={number} />
      </Text>
      <Text fz="xs" c="dimmed" truncate>
        {SANDBOX_NUMBERS.find((known) => known.number === number)?.label}
      </Text>
    </Group>
  );
}

/** Returns a check that asks for confirmation before a real phone is called. */
function useDialCheck(): (number: string, words: string | null) => Promise<boolean> {
  const ask = useConfirm();
  const { mode } = useWorkspace();
  return async (number, words) =>
    mode === "SANDBOX" ||
    isSandboxNumber(number) ||
    ask({
      title: t`Call ${number}?`,
      body: t`This workspace is LIVE: the phone rings, and the call is billed.${words === null ? "" : t` The person hears: “${words.slice(0, 300)}”.`}`,
      action: t`[verb] Call`,
    });
}

function PlaceCallSnippets({ values }: { values: PlaceCallValues }) {
  if (checkJson(values.rowData) !== null || checkJson(values.contextData) !== null) return null;
  const body = toPlaceCall(values);
  const flow = values.flowApiId === null ? "" : ` --flow ${values.flowApiId}`;
  const command = `call ${values.customerNumber}${flow} --watch`;
  return (
    <SnippetTabs
      call={{
        method: "POST",
        path: "/outbound/calls",
        body,
        command,
        sdk: `client.calls.create(${showExactly(body)})`,
      }}
    />
  );
}
