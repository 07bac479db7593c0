import { SegmentedControl, Select, Textarea, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import type { ChatSession } from "@parley/sdk";
import { useWrite } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { useFlowChoices } from "#web/domain/flow/use-flow-choices.ts";
import { toPlainNumber } from "#web/domain/number/written-number.ts";
import { t } from "#web/i18n/t.ts";
import { StartDrawer } from "#web/ui/form/start-drawer.tsx";
import { SnippetTabs } from "#web/ui/snippet-tabs.tsx";
import { useOpenMade } from "#web/ui/use-open-made.ts";
import { CHANNELS } from "./chat.ts";

interface StartValues extends Record<string, unknown> {
  channel: ChatSession["channel"];
  flowApiId: string | null;
  contactPhone: string;
  contactName: string;
  initialMessage: string;
}

/** Starts a chat and opens it. */
export function StartChatDrawer({ close, onStarted }: { close: () => void; onStarted: (id: string) => void }) {
  const { mode } = useWorkspace();
  const openMade = useOpenMade();
  const write = useWrite<{ session: ChatSession }, object>({
    failed: t`The chat did not begin`,
    method: "POST",
    path: "/outbound/chats",
    refreshes: ["/chat-sessions"],
  });
  const form = useForm<StartValues>({
    initialValues: { channel: "CHAT", flowApiId: null, contactPhone: "", contactName: "", initialMessage: "" },
  });
  const start = async (values: StartValues) => {
    const { session } = await write.mutateAsync(toBody(values));
    const open = () => onStarted(session.id);
    openMade({ path: `/chats?chat=${session.id}`, done: t`The chat has begun.`, close, open });
  };
  return (
    <StartDrawer
      title={t`Start a chat`}
      {...{ form, start, close }}
      keptAs="chat"
      action={mode === "SANDBOX" ? t`Start (simulated)` : t`[verb] Start`}
      snippets={<StartSnippets values={form.getValues()} />}
    >
      <StartFields form={form} />
    </StartDrawer>
  );
}

function StartFields({ form }: { form: UseFormReturnType<StartValues> }) {
  const flows = useFlowChoices("apiId");
  const { mode } = useWorkspace();
  const { channel } = form.getValues();
  const isSimulated = mode === "SANDBOX" && channel !== "CHAT";
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={t`Channel`}
        data={Object.entries(CHANNELS).map(([value, { label }]) => ({ value, label }))}
        {...form.getInputProps("channel")}
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
      {channel !== "CHAT" && (
        <TextInput
          label={t`Number`}
          required
          description={
            isSimulated
              ? t`Such as +12025550156, a simulated person. Nothing is sent.`
              : t`E.164, such as +12025550156.`
          }
          {...form.getInputProps("contactPhone")}
        />
      )}
      <TextInput label={t`Name of the contact`} maxLength={500} {...form.getInputProps("contactName")} />
      <Textarea
        label={t`First message`}
        description={t`The flow's own when this is empty; without one, the model opens.`}
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

/** Command for a chat in the terminal; it supports no other channel. */
function toCommand({ flowApiId, contactName }: StartValues): string {
  const flow = flowApiId === null ? "" : ` --flow ${flowApiId}`;
  const name = contactName.trim() === "" ? "" : ` --name '${contactName.trim().replaceAll("'", `'\\''`)}'`;
  return `chat${flow}${name}`;
}

function toBody({ channel, flowApiId, contactPhone, contactName, initialMessage }: StartValues): object {
  return {
    channel,
    ...(flowApiId === null ? {} : { flowApiId }),
    ...(channel === "CHAT" || contactPhone.trim() === "" ? {} : { contactPhone: toPlainNumber(contactPhone) }),
    ...(contactName.trim() === "" ? {} : { contactName: contactName.trim() }),
    ...(initialMessage.trim() === "" ? {} : { initialMessage }),
  };
}
