import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import type { ChatSession, Page as ListPage } from "@parley/sdk";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useRead } from "#web/api/queries.ts";
import type { Contact } from "#web/domain/contact/contact.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { formatMoney, formatName } from "#web/ui/format/format.ts";
import { JsonView } from "#web/ui/json-view.tsx";
import { OptOutNote } from "#web/ui/opt-out-note.tsx";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";

/** Contact, flow and result of a chat. */
export function ChatDetails({ chat }: { chat: ChatSession }) {
  return (
    <Stack gap="lg">
      <OptOutNote review={chat.optOutReview} />
      <Section title="Contact">
        <dl className="facts">
          <Fact name="Name">{chat.contactName ?? "–"}</Fact>
          {chat.contactPhone !== null && <Fact name="Number">{chat.contactPhone}</Fact>}
          {chat.contactEmail !== null && <Fact name="E-mail">{chat.contactEmail}</Fact>}
          {chat.contactIdentifier !== null && <Fact name="Identifier">{chat.contactIdentifier}</Fact>}
        </dl>
        <ContactLink chat={chat} />
      </Section>
      <ChatFacts chat={chat} />
      {chat.extractedFields !== null && Object.keys(chat.extractedFields).length > 0 && (
        <Section title="Extracted fields">
          <JsonView value={chat.extractedFields} label="Extracted fields" maxHeight={240} />
        </Section>
      )}
      {chat.contextData !== null && (
        <Section title="Context data">
          <JsonView value={chat.contextData} label="Context data" maxHeight={240} />
        </Section>
      )}
    </Stack>
  );
}

function ChatFacts({ chat }: { chat: ChatSession }) {
  return (
    <Section title="Chat">
      <dl className="facts">
        <Fact name="Flow">
          {chat.flowApiId ?? (chat.inlineFlow ? "inline" : "–")}
          {chat.flowVersion !== null && ` · version ${chat.flowVersion}`}
        </Fact>
        {chat.assistantPhoneNumber !== null && <Fact name="Our number">{chat.assistantPhoneNumber}</Fact>}
        <Fact name="Answers">{answererOf(chat.handoff)}</Fact>
        <Fact name="Started">
          <Time at={chat.createdAt} />
        </Fact>
        {chat.windowExpiresAt !== null && (
          <Fact name="Free text">
            until <Time at={chat.windowExpiresAt} />
          </Fact>
        )}
        {chat.endedAt !== null && (
          <Fact name="Ended">
            <Time at={chat.endedAt} />
            {chat.endReason !== null && <div>{formatName(chat.endReason)}</div>}
          </Fact>
        )}
        <Fact name="Cost">
          {formatMoney(chat.cost.amount, chat.cost.currency)}
          {chat.cost.simulated && " · simulated"}
        </Fact>
        {chat.error !== null && <Fact name="Error">{chat.error.message}</Fact>}
        <Fact name="Id">
          <Group gap={2} wrap="nowrap">
            <Text component="span" ff="monospace" fz="xs">
              {chat.id}
            </Text>
            <CopyButton text={chat.id} label="Copy id" />
          </Group>
        </Fact>
      </dl>
    </Section>
  );
}

function answererOf({ state, assignee }: ChatSession["handoff"]): string {
  if (state === "NONE") return "The agent";
  if (state === "REQUESTED") return "The agent; the person asked for a human after hours";
  return state === "WAITING" ? "Nobody yet: the person asked for a human" : (assignee ?? "An operator");
}

function ContactLink({ chat }: { chat: ChatSession }) {
  const { contactPhone: phone, contactIdentifier: identifier } = chat;
  const query = phone === null ? { identifier } : { phone };
  const read = useRead<ListPage<Contact>>("/contacts", query, { enabled: phone !== null || identifier !== null });
  const contact = read.data?.content[0];
  if (!contact) return null;
  return (
    <Anchor component={Link} href={`/contacts/${contact.id}`} fz="sm">
      {contact.callCount} {contact.callCount === 1 ? "call" : "calls"}, {contact.chatCount}{" "}
      {contact.chatCount === 1 ? "chat" : "chats"}
    </Anchor>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap={8}>
      <Title order={2} fz="xs" c="dimmed" fw={600}>
        {title}
      </Title>
      {children}
    </Stack>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Words>{children}</Words>
      </dd>
    </>
  );
}
