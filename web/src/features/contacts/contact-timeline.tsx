import { Anchor, Group, Stack, Text } from "@mantine/core";
import type { Page as ListPage } from "@parley/sdk";
import { Link } from "wouter";
import { useRead } from "#web/api/queries.ts";
import type { TimelineEntry } from "#web/domain/contact/contact.ts";
import { plural, t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { useUrlPage } from "#web/ui/filters/use-url-page.ts";
import { formatDuration, formatName } from "#web/ui/format/format.ts";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { Pager } from "#web/ui/table/pager.tsx";
import { Time } from "#web/ui/time.tsx";
import "./contacts.css";

const ENTRIES_A_PAGE = 50;

const column = (id: string, header: string, value: (entry: TimelineEntry) => string | null): Column<TimelineEntry> => ({
  id,
  header,
  value,
  cell: value,
});

/** Columns of the CSV export. */
const COLUMNS: Column<TimelineEntry>[] = [
  column("at", t`When`, ({ at }) => at),
  column("what", t`What`, (entry) => describe(entry).title),
  column("status", t`Status`, ({ status }) => status),
  column("note", t`Details`, (entry) => {
    const lost = entry.messages?.failed ?? 0;
    return [describe(entry).note, ...(lost > 0 ? [sayLost(lost)] : [])].join(" · ");
  }),
];

/** Timeline of a contact, newest first; each entry links to its call or chat. */
export function ContactTimeline({ contactId }: { contactId: string }) {
  const [page, setPage] = useUrlPage("page");
  const path = `/contacts/${contactId}/timeline`;
  const read = useRead<ListPage<TimelineEntry>>(path, { page, size: ENTRIES_A_PAGE });
  return (
    <Card
      title={t`Timeline`}
      padded={read.data === undefined}
      actions={<ExportButton path={path} query={{}} columns={COLUMNS} fileName="timeline.csv" />}
    >
      <Loaded read={read}>
        {({ content, ...totals }) => (
          <>
            {content.length === 0 && (
              <Text fz="sm" c="dimmed" p="md">
                {t`Nothing has happened yet.`}
              </Text>
            )}
            <ol className="timeline">
              {content.map((entry) => (
                <li key={entry.id}>
                  <Entry entry={entry} />
                </li>
              ))}
            </ol>
            {totals.totalElements > ENTRIES_A_PAGE && (
              <Pager page={page} size={ENTRIES_A_PAGE} totals={totals} setPage={setPage} />
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { icon, title, href, note } = describe(entry);
  const lost = entry.messages?.failed ?? 0;
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <span className={entry.direction === "INBOUND" ? "way way-in" : "way"}>
        <Icon name={icon} size={13} />
      </span>
      <Stack gap={2} miw={0} flex={1}>
        <Group gap="xs">
          {href === null ? (
            <Text fz="sm" fw={550}>
              {title}
            </Text>
          ) : (
            <Anchor component={Link} href={href} fz="sm" fw={550}>
              {title}
            </Anchor>
          )}
          {entry.status !== null && <StatusBadge status={entry.status} />}
          {lost > 0 && <StatusBadge status="UNDELIVERED" label={sayLost(lost)} />}
        </Group>
        {note !== "" && (
          <Text fz="xs" c="dimmed">
            {note}
          </Text>
        )}
      </Stack>
      <Text component="span" fz="xs" c="dimmed">
        <Time at={entry.at} />
      </Text>
    </Group>
  );
}

function describe(entry: TimelineEntry): { icon: IconName; title: string; href: string | null; note: string } {
  if (entry.type === "OPT_OUT") {
    const by = entry.source === "OPERATOR" ? t`Written down by an operator` : t`They asked for it`;
    return { icon: "close", title: t`No more contact`, href: null, note: by };
  }
  const reason = entry.endReason === null ? [] : [formatName(entry.endReason)];
  if (entry.type === "CALL") {
    const isInbound = entry.direction === "INBOUND";
    const duration = entry.durationSeconds === null ? [] : [formatDuration(entry.durationSeconds)];
    const outcome = entry.outcome === null ? [] : [formatName(entry.outcome)];
    return {
      icon: isInbound ? "incoming" : "outgoing",
      title: isInbound ? t`They called` : t`We called`,
      href: `/calls/${entry.callRowId ?? ""}`,
      note: [...outcome, ...duration, ...reason].join(" · "),
    };
  }
  const { total = 0, fromContact = 0 } = entry.messages ?? {};
  return {
    icon: "chat",
    title: entry.channel === "CHAT" || entry.channel === null ? t`Chat` : CHANNEL_TITLES[entry.channel],
    href: `/chats?show=all&chat=${entry.sessionId ?? ""}`,
    note: [
      plural(total, "{n} message, {0} of them theirs", "{n} messages, {0} of them theirs", fromContact),
      ...reason,
    ].join(" · "),
  };
}

/** Says how many messages of a chat the person did not get. */
function sayLost(count: number): string {
  return t`${count} not delivered`;
}

const CHANNEL_TITLES = { VOICE: t`Call`, SMS: t`SMS chat`, WHATSAPP: t`WhatsApp chat` } as const;
