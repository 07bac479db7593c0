import { Accordion, Autocomplete, Button, Drawer, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import type { Flow, Page, QueuedCall } from "@parley/sdk";
import { useLocation } from "wouter";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import { TextEditor } from "#web/editor/text-editor.tsx";
import { FormFault } from "#web/form/form-fault.tsx";
import { useSubmit } from "#web/form/use-submit.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import { SnippetTabs } from "#web/ui/snippet-tabs.tsx";
import { checkJson, type PlaceCallValues, toPlaceCall } from "./place-call.ts";
import { isSandboxNumber, SANDBOX_NUMBERS } from "./sandbox-numbers.ts";

const EMPTY: PlaceCallValues = {
  customerNumber: "",
  flowApiId: null,
  contactName: "",
  rowData: "{}",
  contextData: "{}",
};

/** Places one call and opens it. */
export function PlaceCallDrawer({ close, initial = {} }: { close: () => void; initial?: Partial<PlaceCallValues> }) {
  const [, navigate] = useLocation();
  const write = useWrite<QueuedCall, object>({ method: "POST", path: "/outbound/calls", refreshes: ["/call-history"] });
  const { mode } = useWorkspace();
  const mayDial = useDialCheck();
  const form = useForm<PlaceCallValues>({
    initialValues: { ...EMPTY, customerNumber: mode === "SANDBOX" ? "+12025550100" : "", ...initial },
    validate: { rowData: checkJson, contextData: checkJson },
  });
  const { isSending, fault, submit } = useSubmit(form, async (values) => {
    if (!(await mayDial(values.customerNumber))) return;
    const { rowId } = await write.mutateAsync(toPlaceCall(values));
    showDone("The call is queued.");
    close();
    navigate(`/calls/${rowId}`);
  });
  return (
    <Drawer opened onClose={close} position="right" size={480} title={<Text fw={600}>Place a call</Text>}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          <PlaceCallFields form={form} />
          <Button type="submit" loading={isSending}>
            {mode === "SANDBOX" ? "Call (simulated)" : "Call"}
          </Button>
          <Accordion variant="contained">
            <Accordion.Item value="code">
              <Accordion.Control>The same from your code</Accordion.Control>
              <Accordion.Panel>
                <PlaceCallSnippets values={form.getValues()} />
              </Accordion.Panel>
            </Accordion.Item>
          </Accordion>
        </Stack>
      </form>
    </Drawer>
  );
}

function PlaceCallFields({ form }: { form: UseFormReturnType<PlaceCallValues> }) {
  const flows = useRead<Page<Flow>>("/flows", { size: 200 });
  return (
    <>
      <Autocomplete
        label="Number to call"
        description="E.164. Numbers from the list are simulated people: nothing rings."
        required
        data={SANDBOX_NUMBERS.map(({ number }) => number)}
        renderOption={({ option }) => <SandboxOption number={option.value} />}
        {...form.getInputProps("customerNumber")}
      />
      <Select
        label="Flow"
        description="The workspace's default when none is chosen."
        placeholder="Default flow"
        clearable
        searchable
        data={(flows.data?.content ?? []).map(({ apiId, name }) => ({ value: apiId, label: name }))}
        {...form.getInputProps("flowApiId")}
      />
      <TextInput label="Name of the contact" maxLength={500} {...form.getInputProps("contactName")} />
      <TextEditor
        label="Row data"
        description="What the agent may know: variables of the prompt."
        language="json"
        minHeight={90}
        {...form.getInputProps("rowData")}
      />
      <TextEditor
        label="Context data"
        description="Comes back unchanged with the result."
        language="json"
        minHeight={90}
        {...form.getInputProps("contextData")}
      />
    </>
  );
}

function SandboxOption({ number }: { number: string }) {
  return (
    <Group justify="space-between" w="100%" wrap="nowrap">
      <Text fz="sm">{number}</Text>
      <Text fz="xs" c="dimmed" truncate>
        {SANDBOX_NUMBERS.find((known) => known.number === number)?.label}
      </Text>
    </Group>
  );
}

/** A real phone rings only after somebody said so. */
function useDialCheck(): (number: string) => Promise<boolean> {
  const ask = useConfirm();
  const { mode } = useWorkspace();
  return async (number) =>
    mode === "SANDBOX" ||
    isSandboxNumber(number) ||
    ask({
      title: `Call ${number}?`,
      body: "This workspace is LIVE: the phone rings, and the call is billed.",
      action: "Call",
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
        sdk: `client.calls.create(${JSON.stringify(body, null, 2)})`,
      }}
    />
  );
}
