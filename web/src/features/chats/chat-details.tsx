import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import type { ChatSession, Page as ListPage } from "@parley/sdk";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { sayReason } from "#web/api/server-texts.ts";
import { type Contact, sayCounts } from "#web/domain/contact/contact.ts";
import { useFlowNames } from "#web/domain/flow/use-flow-names.ts";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { formatMoney, formatName } from "#web/ui/format/format.ts";
import { JsonView } from "#web/ui/json-view.tsx";
import { OptOutNote } from "#web/ui/opt-out-note.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";

/** Contact, flow and result of a chat. */
export function ChatDetails({ chat }: { chat: ChatSession }) {
  return (
    <Stack gap="lg">
      <OptOutNote review={chat.optOutReview} />
      <Section title={t`Contact`}>
        <dl className="facts">
          <Fact name={t`Name`}>{chat.contactName ?? "–"}</Fact>
          {chat.contactPhone !== null && (
            <Fact name={t`Number`}>
              <Phone number={chat.contactPhone} />
            </Fact>
          )}
          {chat.contactEmail !== null && <Fact name={t`E-mail`}>{chat.contactEmail}</Fact>}
          {chat.contactIdentifier !== null && <Fact name={t`Identifier`}>{chat.contactIdentifier}</Fact>}
        </dl>
        <ContactLink chat={chat} />
      </Section>
      <ChatFacts chat={chat} />
      {chat.extractedFields !== null && Object.keys(chat.extractedFields).length > 0 && (
        <Section title={t`Extracted fields`}>
          <JsonView value={chat.extractedFields} label={t`Extracted fields`} maxHeight={240} />
        </Section>
      )}
      {chat.contextData !== null && (
        <Section title={t`Context data`}>
          <JsonView value={chat.contextData} label={t`Context data`} maxHeight={240} />
        </Section>
      )}
    </Stack>
  );
}

function ChatFacts({ chat }: { chat: ChatSession }) {
  const nameOf = useFlowNames();
  return (
    <Section title={t`Chat`}>
      <dl className="facts">
        <Fact name={t`Flow`}>
          {chat.flowApiId === null ? (chat.inlineFlow ? t`inline` : "–") : nameOf(chat.flowApiId)}
          {chat.flowVersion !== null && t` · version ${chat.flowVersion}`}
        </Fact>
        {chat.assistantPhoneNumber !== null && (
          <Fact name={t`Our number`}>
            <Phone number={chat.assistantPhoneNumber} />
          </Fact>
        )}
        <Fact name={t`Answers`}>{answererOf(chat.handoff)}</Fact>
        <Fact name={t`Started`}>
          <Time at={chat.createdAt} />
        </Fact>
        {chat.windowExpiresAt !== null && (
          <Fact name={t`Free text`}>{rich`until ${<Time at={chat.windowExpiresAt} />}`}</Fact>
        )}
        {chat.endedAt !== null && (
          <Fact name={t`Ended`}>
            <Time at={chat.endedAt} />
            {chat.endReason !== null && <div>{formatName(chat.endReason)}</div>}
          </Fact>
        )}
        <Fact name={t`Cost`}>
          {formatMoney(chat.cost.amount, chat.cost.currency)}
          {chat.cost.simulated && t` · simulated`}
        </Fact>
        {chat.error !== null && <Fact name={t`Error`}>{sayReason(chat.error)}</Fact>}
        <Fact name={t`Id`}>
          <Group gap={2} wrap="nowrap">
            <Text component="span" ff="monospace" fz="xs">
              {chat.id}
            </Text>
            <CopyButton text={chat.id} label={t`Copy id`} />
          </Group>
        </Fact>
      </dl>
    </Section>
  );
}

function answererOf({ state, assignee }: ChatSession["handoff"]): string {
  if (state === "NONE") return t`The agent`;
  if (state === "REQUESTED") return t`The agent; the person asked for a human after hours`;
  return state === "WAITING" ? t`Nobody yet: the person asked for a human` : (assignee ?? t`An operator`);
}

function ContactLink({ chat }: { chat: ChatSession }) {
  const { contactPhone: phone, contactIdentifier: identifier } = chat;
  const query = phone === null ? { identifier } : { phone };
  const read = useRead<ListPage<Contact>>("/contacts", query, { enabled: phone !== null || identifier !== null });
  const contact = read.data?.content[0];
  if (!contact) return null;
  return (
    <Anchor component={Link} href={`/contacts/${contact.id}`} fz="sm">
      {sayCounts(contact)}
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
