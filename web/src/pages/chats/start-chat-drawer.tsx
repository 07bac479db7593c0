import { Button, Drawer, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import type { Flow, Page } from "@parley/sdk";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import { FormFault } from "#web/form/form-fault.tsx";
import { useSubmit } from "#web/form/use-submit.ts";
import { SnippetTabs } from "#web/ui/snippet-tabs.tsx";
import { type Chat, CHANNELS } from "./chat.ts";

interface StartValues extends Record<string, unknown> {
  channel: Chat["channel"];
  flowApiId: string | null;
  contactPhone: string;
  contactName: string;
  initialMessage: string;
}

/** Starts a chat and opens it. */
export function StartChatDrawer({ close, onStarted }: { close: () => void; onStarted: (id: string) => void }) {
  const { mode } = useWorkspace();
  const write = useWrite<{ session: Chat }, object>({
    method: "POST",
    path: "/outbound/chats",
    refreshes: ["/chat-sessions"],
  });
  const form = useForm<StartValues>({
    initialValues: { channel: "CHAT", flowApiId: null, contactPhone: "", contactName: "", initialMessage: "" },
  });
  const { isSending, fault, submit } = useSubmit(form, async (values) => {
    const { session } = await write.mutateAsync(toBody(values));
    showDone("The chat has begun.");
    close();
    onStarted(session.id);
  });
  return (
    <Drawer opened onClose={close} position="right" size={480} title={<Text fw={600}>Start a chat</Text>}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          <StartFields form={form} />
          <Button type="submit" loading={isSending}>
            {mode === "SANDBOX" ? "Start (simulated)" : "Start"}
          </Button>
          <Text fz="sm" fw={550} mt="xs">
            The same from your code
          </Text>
          <StartSnippets values={form.getValues()} />
        </Stack>
      </form>
    </Drawer>
  );
}

function StartFields({ form }: { form: UseFormReturnType<StartValues> }) {
  const flows = useRead<Page<Flow>>("/flows", { size: 200 });
  const { mode } = useWorkspace();
  const { channel } = form.getValues();
  const isSimulated = mode === "SANDBOX" && channel !== "CHAT";
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label="Channel"
        data={Object.entries(CHANNELS).map(([value, { label }]) => ({ value, label }))}
        {...form.getInputProps("channel")}
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
      {channel !== "CHAT" && (
        <TextInput
          label="Number"
          required
          description={
            isSimulated ? "Such as +12025550156, a simulated person. Nothing is sent." : "E.164, such as +12025550156."
          }
          {...form.getInputProps("contactPhone")}
        />
      )}
      <TextInput label="Name of the contact" maxLength={500} {...form.getInputProps("contactName")} />
      <Textarea
        label="First message"
        description="The flow's own when this is empty; without one, the model opens."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4_000}
        {...form.getInputProps("initialMessage")}
      />
    </>
  );
}

function StartSnippets({ values }: { values: StartValues }) {
  const body = toBody(values);
  return (
    <SnippetTabs
      call={{
        method: "POST",
        path: "/outbound/chats",
        body,
        ...(values.channel === "CHAT" ? { command: toCommand(values) } : {}),
        sdk: `client.chats.create(${JSON.stringify(body, null, 2)})`,
      }}
    />
  );
}

/** The command holds the chat in the terminal; it knows no other channel. */
function toCommand({ flowApiId, contactName }: StartValues): string {
  const flow = flowApiId === null ? "" : ` --flow ${flowApiId}`;
  const name = contactName.trim() === "" ? "" : ` --name '${contactName.trim().replaceAll("'", `'\\''`)}'`;
  return `chat${flow}${name}`;
}

function toBody({ channel, flowApiId, contactPhone, contactName, initialMessage }: StartValues): object {
  return {
    channel,
    ...(flowApiId === null ? {} : { flowApiId }),
    ...(channel === "CHAT" || contactPhone.trim() === "" ? {} : { contactPhone: contactPhone.replace(/[^\d+]/g, "") }),
    ...(contactName.trim() === "" ? {} : { contactName: contactName.trim() }),
    ...(initialMessage.trim() === "" ? {} : { initialMessage }),
  };
}
