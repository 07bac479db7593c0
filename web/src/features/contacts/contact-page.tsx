import { Badge, Grid } from "@mantine/core";
import { useParams } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { type Contact, formatCount, nameOf } from "#web/domain/contact/contact.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatName } from "#web/ui/format/format.ts";
import { NotLoaded } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";
import { ContactActions } from "./contact-actions.tsx";
import { ContactTimeline } from "./contact-timeline.tsx";

/** Page of a contact with its history in all channels. */
export function ContactPage() {
  const { contactId = "" } = useParams();
  const read = useRead<Contact>(`/contacts/${contactId}`);
  const contact = read.data?.id === contactId ? read.data : undefined;
  const back = { href: "/contacts", label: t`Contacts` };
  if (!contact) {
    return (
      <Page title={t`Contact`} back={back}>
        <NotLoaded read={read} />
      </Page>
    );
  }
  return (
    <Page
      title={nameOf(contact)}
      badge={contact.optedOut && <NoContact />}
      lead={contact.name === null ? undefined : <Phone number={contact.phone ?? contact.identifier ?? ""} />}
      back={back}
      actions={<ContactActions contact={contact} />}
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <ContactTimeline contactId={contact.id} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Facts contact={contact} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function NoContact() {
  return (
    <Badge size="md" radius="sm" variant="light" color="red" tt="none">
      {t`Do not contact`}
    </Badge>
  );
}

function Facts({ contact }: { contact: Contact }) {
  const { phone, email, identifier, callCount, chatCount, optedOutAt, optOutSource } = contact;
  return (
    <Card title={t`Contact`}>
      <dl className="facts">
        <dt>{t`Number`}</dt>
        <dd>{phone ?? "–"}</dd>
        <dt>{t`E-mail`}</dt>
        <dd>
          <Words>{email ?? "–"}</Words>
        </dd>
        <dt>{t`Identifier`}</dt>
        <dd>
          <Words>{identifier ?? "–"}</Words>
        </dd>
        <dt>{t`Calls`}</dt>
        <dd>{formatCount(callCount)}</dd>
        <dt>{t`Chats`}</dt>
        <dd>{formatCount(chatCount)}</dd>
        <dt>{t`Last seen`}</dt>
        <dd>
          <Time at={contact.lastSeenAt} />
        </dd>
        <dt>{t`Since`}</dt>
        <dd>
          <Time at={contact.createdAt} />
        </dd>
        {optedOutAt !== null && (
          <>
            <dt>{t`Opted out`}</dt>
            <dd>
              <Time at={optedOutAt} />
              {optOutSource !== null && <div>{SOURCES[optOutSource] ?? formatName(optOutSource)}</div>}
            </dd>
          </>
        )}
      </dl>
    </Card>
  );
}

const SOURCES: Record<string, string> = {
  STOP_KEYWORD: t`They wrote a stop word`,
  SPOKEN_REFUSAL: t`They asked for it`,
  OPERATOR: t`Written down by an operator`,
  SANDBOX: t`A number of the sandbox`,
};
