import { Accordion, Autocomplete, Button, Drawer, Select, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Flow, Page, QueuedCall } from "@parley/sdk";
import { useLocation } from "wouter";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import { TextEditor } from "#web/editor/text-editor.tsx";
import { FormFault } from "#web/form/form-fault.tsx";
import { useSubmit } from "#web/form/use-submit.ts";
import { SnippetTabs } from "#web/ui/snippet-tabs.tsx";
import { checkJson, type PlaceCallValues, toPlaceCall } from "./place-call.ts";
import { SANDBOX_NUMBERS } from "./sandbox-numbers.ts";

/** Places one call and opens it. */
export function PlaceCallDrawer({ close, initial = {} }: { close: () => void; initial?: Partial<PlaceCallValues> }) {
  const [, navigate] = useLocation();
  const flows = useRead<Page<Flow>>("/flows", { size: 200 });
  const write = useWrite<QueuedCall, object>({ method: "POST", path: "/outbound/calls", refreshes: ["/call-history"] });
  const { mode } = useWorkspace();
  const form = useForm<PlaceCallValues>({
    initialValues: {
      customerNumber: mode === "SANDBOX" ? "+12025550100" : "",
      flowApiId: null,
      contactName: "",
      rowData: "{}",
      contextData: "{}",
      ...initial,
    },
    validate: { rowData: checkJson, contextData: checkJson },
  });
  const { isSending, fault, submit } = useSubmit(form, async (values) => {
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
          <Autocomplete
            label="Number to call"
            description="E.164. Numbers from the list are simulated people: nothing rings."
            required
            data={SANDBOX_NUMBERS.map(({ number, label }) => ({ value: number, label: `${number}  ${label}` }))}
            {...form.getInputProps("customerNumber")}
            onOptionSubmit={(value) => form.setFieldValue("customerNumber", value)}
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
