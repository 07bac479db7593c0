import { Anchor, List, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { plural, t } from "#web/i18n/t.ts";
import { formatNumber } from "#web/ui/format/format.ts";
import { FaultNote } from "#web/ui/load-state.tsx";

type Kind = "PHONE_NUMBER" | "CALL_JOB" | "WIDGET" | "LEAD_SOURCE" | "FLOW";

interface FlowUse {
  kind: Kind;
  total: number;
  first: { id: string; name: string; waiting: number | null; byDefault: boolean }[];
}

const SHOWN = 5;

/** Kinds of uses: what a publication means for them, and where each is shown. */
const KINDS: Record<Kind, { says: (many: number) => string; href: (id: string) => string }> = {
  PHONE_NUMBER: {
    says: (many) => plural(many, "People who call this number reach it", "People who call these numbers reach it"),
    href: () => "/numbers",
  },
  CALL_JOB: {
    says: (many) =>
      plural(
        many,
        "A call job under way takes it for its next calls",
        "Call jobs under way take it for their next calls",
      ),
    href: (id) => `/jobs/${id}`,
  },
  WIDGET: { says: (many) => plural(many, "A chat widget opens it", "Chat widgets open it"), href: () => "/chats" },
  LEAD_SOURCE: {
    says: (many) =>
      plural(many, "Leads of this source are called with it", "Leads of these sources are called with it"),
    href: (id) => `/leads/${id}`,
  },
  FLOW: {
    says: (many) => plural(many, "Another flow runs it in a stage", "Other flows run it in a stage"),
    href: (id) => `/flows/${id}`,
  },
};

/** Users of the next version: numbers, jobs under way, widgets, lead sources and other flows. */
export function PublishUses({ flowId, percent }: { flowId: string; percent: number }) {
  const { data, error } = useRead<{ uses: FlowUse[] }>(`/flows/${flowId}/uses`);
  if (error) return <FaultNote error={error} />;
  if (!data) return null;
  return (
    <section aria-label={t`Who gets it`}>
      <Text fz="sm" fw={600} mb={4}>
        {t`Who gets it`}
      </Text>
      <List size="sm" spacing={4}>
        {data.uses.map((use) => (
          <List.Item key={use.kind}>
            {KINDS[use.kind].says(use.total)}: <Names use={use} />
          </List.Item>
        ))}
        <List.Item>{describeOthers(data.uses.length, percent)}</List.Item>
      </List>
    </section>
  );
}

function describeOthers(kinds: number, percent: number): string {
  const nobody = kinds === 0 ? t`No number, job, widget, lead source or other flow uses this flow. ` : "";
  const share =
    percent < 100 ? t`${percent} % of new sessions take it` : t`New calls and chats that name the flow take it`;
  return t`${nobody}${share}; calls under way and retries keep their version.`;
}

function Names({ use: { kind, total, first } }: { use: FlowUse }): ReactNode {
  const shown = first.slice(0, SHOWN);
  return (
    <>
      {shown.map(({ id, name, waiting, byDefault }, i) => (
        <span key={id}>
          {i > 0 && ", "}
          <Anchor component={Link} href={KINDS[kind].href(id)} fz="sm">
            <bdi>{name}</bdi>
          </Anchor>
          {waiting !== null && t` (${formatNumber(waiting)} to come)`}
          {byDefault && t` (by default)`}
        </span>
      ))}
      {total > shown.length && t` and ${formatNumber(total - shown.length)} more`}
    </>
  );
}
