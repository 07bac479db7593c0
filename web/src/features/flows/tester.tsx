import { Stack, Tabs, Text, TextInput } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useMay } from "#web/api/workspace.tsx";
import type { FlowFields } from "#web/domain/flow/flow.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { LoadingBars } from "#web/ui/load-state.tsx";
import { ChatTest } from "./chat-test.tsx";
import { readDefault, toText } from "./sections/flow-values.ts";
import type { TestProps } from "./test-props.ts";
import type { ChatTrial } from "./use-chat-test.ts";

const PersonaTest = lazy(async () => ({ default: (await import("./persona-test.tsx")).PersonaTest }));
const PhoneTest = lazy(async () => ({ default: (await import("./phone-test.tsx")).PhoneTest }));

/** Three ways to test the form's flow: a chat, a simulated person, and a web call. */
export function Tester(props: Omit<TestProps, "contactName"> & { chat: ChatTrial }) {
  const { flow, fields, chat, showRun } = props;
  const [contactName, setContactName] = useState(t`Ada Example`);
  const [given, setGiven] = useState<Record<string, string>>({});
  const mayChat = useMay("OUTBOUND_CHATS_TRIGGER");
  const mayCall = useMay("OUTBOUND_CALLS_TRIGGER");
  const mayRun = useMay("FLOWS_WRITE");
  const test = { flow, fields: withValues(fields, given), contactName, showRun };
  if (!mayChat && !mayRun && !mayCall) {
    return (
      <Card title={t`Try it`}>
        <Text fz="sm" c="dimmed">
          {t`Your role reads flows. Somebody who may change them, or start chats, can try them here.`}
        </Text>
      </Card>
    );
  }
  return (
    <Card title={t`Try it`} padded={false}>
      <Tabs defaultValue={mayChat ? "chat" : mayRun ? "persona" : "phone"} keepMounted={false}>
        <Tabs.List px="xs">
          {mayChat && <Tabs.Tab value="chat">{t`Chat`}</Tabs.Tab>}
          {mayRun && <Tabs.Tab value="persona">{t`Persona`}</Tabs.Tab>}
          {mayCall && <Tabs.Tab value="phone">{t`Phone`}</Tabs.Tab>}
          <Tabs.Tab value="variables">{t`Variables`}</Tabs.Tab>
        </Tabs.List>
        <div className="tab-body">
          <Suspense fallback={<LoadingBars count={3} />}>
            <Tabs.Panel value="chat">
              <ChatTest {...test} chat={chat} />
            </Tabs.Panel>
            <Tabs.Panel value="persona">
              <PersonaTest {...test} />
            </Tabs.Panel>
            <Tabs.Panel value="phone">
              <PhoneTest {...test} />
            </Tabs.Panel>
          </Suspense>
          <Tabs.Panel value="variables">
            <TestVariables fields={fields} {...{ contactName, setContactName, given, setGiven }} />
          </Tabs.Panel>
        </div>
      </Tabs>
    </Card>
  );
}

function TestVariables(props: {
  fields: FlowFields;
  contactName: string;
  setContactName: (name: string) => void;
  given: Record<string, string>;
  setGiven: (given: Record<string, string>) => void;
}) {
  const { fields, contactName, setContactName, given, setGiven } = props;
  return (
    <Stack gap="sm">
      <Text fz="sm" c="dimmed">
        {t`What a call would bring along. It counts from the next test on.`}
      </Text>
      <TextInput
        label="contactName"
        maxLength={500}
        value={contactName}
        onChange={(event) => setContactName(event.currentTarget.value)}
      />
      {(fields.localVariables ?? []).map(({ variableName, defaultValue }) => (
        <TextInput
          key={variableName}
          label={variableName}
          placeholder={toText(defaultValue)}
          value={given[variableName] ?? ""}
          onChange={(event) => setGiven({ ...given, [variableName]: event.currentTarget.value })}
        />
      ))}
    </Stack>
  );
}

function withValues(fields: FlowFields, given: Record<string, string>): FlowFields {
  const localVariables = fields.localVariables?.map((local) => {
    const value = readDefault(given[local.variableName] ?? "", local.type);
    return value === undefined ? local : { ...local, defaultValue: value };
  });
  return { ...fields, localVariables: localVariables ?? null };
}
