import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import type { OptOutReview, OptOutReviewDecision, Page } from "@parley/sdk";
import { Link } from "wouter";
import { useRead, useWrite } from "#web/api/queries.ts";
import { notifyResult } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { inSentence, t } from "#web/i18n/t.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import type { Filter } from "#web/ui/filters/filter.ts";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { formatName } from "#web/ui/format/format.ts";
import { Phone } from "#web/ui/phone.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

const PATH = "/opt-out-reviews";
const ROWS_A_PAGE = 20;
const STATES: Record<OptOutReview["state"], string> = {
  OPEN: formatName("OPEN"),
  CONFIRMED: t`Confirmed`,
  DISMISSED: t`Dismissed`,
};
const FILTERS: Filter[] = [
  {
    name: "state",
    label: t`State`,
    kind: "select",
    options: Object.entries(STATES).map(([value, label]) => ({ value, label })),
  },
];

const REASONS: Record<OptOutReview["reason"], string> = {
  UNHEEDED: t`Nobody asked back`,
  UNANSWERED: t`Asked back, no clear answer`,
  NOT_RECORDED: t`The list could not be written`,
};

const COLUMNS: Column<OptOutReview>[] = [
  { id: "who", header: t`Who`, cell: (review) => <OptOutPerson review={review} /> },
  { id: "words", header: t`What they said`, cell: (review) => <Quotes review={review} /> },
  {
    id: "reason",
    header: t`Why it is in doubt`,
    cell: ({ reason }) => REASONS[reason],
    value: ({ reason }) => REASONS[reason],
    isWide: true,
  },
  {
    id: "createdAt",
    header: t`Since`,
    cell: ({ createdAt }) => <Time at={createdAt} />,
    value: ({ createdAt }) => createdAt,
    isWide: true,
  },
  { id: "state", header: t`State`, cell: (review) => <Decision review={review} /> },
];

/** Sessions in which a person may have opted out, with the decision for each. */
export function OptOutReviewsPage() {
  const filters = useUrlFilters(["state"]);
  const state = filters.values.state?.[0] ?? "OPEN";
  const read = useRead<Page<OptOutReview>>(PATH, { state, page: filters.page, size: ROWS_A_PAGE });
  return (
    <SettingsFrame
      title={t`Opt-out reviews`}
      lead={t`These people may have asked for no more contact. Nobody calls or writes to them until you decide.`}
    >
      <FilterBar screen="opt-out-reviews" filters={FILTERS} {...filters} staysWhenEmpty />
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Opt-out reviews`}
        rows={read.data?.content}
        columns={COLUMNS}
        pages={filters}
        empty={
          <EmptyState icon="check" title={state === "OPEN" ? t`Nothing to decide` : t`None`}>
            {t`A call or chat comes here when somebody may have asked for no more contact and the do-not-call list does not say so.`}
          </EmptyState>
        }
      />
    </SettingsFrame>
  );
}

function OptOutPerson({ review }: { review: OptOutReview }) {
  const [href, label] =
    review.callRowId === null
      ? [`/chats?show=all&chat=${review.chatSessionId}`, t`Chat`]
      : [`/calls/${review.callRowId}`, t`Call`];
  return (
    <Stack gap={0}>
      <Text fz="sm">{review.number === null ? t`No number known` : <Phone number={review.number} />}</Text>
      <Anchor component={Link} href={href} fz="xs">
        {t`Open the ${inSentence(label)}`}
      </Anchor>
    </Stack>
  );
}

function Quotes({ review: { quotes, note } }: { review: OptOutReview }) {
  return (
    <Stack gap={2}>
      {quotes.map(({ text }, i) => (
        <Text key={i} fz="sm" style={{ overflowWrap: "anywhere" }}>
          “<Words>{text}</Words>”
        </Text>
      ))}
      {note !== null && (
        <Text fz="xs" c="dimmed">
          <Words>{note}</Words>
        </Text>
      )}
    </Stack>
  );
}

function Decision({ review }: { review: OptOutReview }) {
  const mayDecide = useMay("CALL_JOBS_WRITE");
  if (review.state === "OPEN" && mayDecide) return <DecisionButtons review={review} />;
  return <StatusBadge status={review.state === "OPEN" ? "PENDING" : "CLOSED"} label={STATES[review.state]} />;
}

function DecisionButtons({ review: { id, number } }: { review: OptOutReview }) {
  const ask = useConfirm();
  const decide = useWrite<OptOutReview, OptOutReviewDecision>({
    failed: t`The review was not decided`,
    method: "POST",
    path: `${PATH}/${id}/decision`,
    refreshes: [PATH, "/do-not-call", "/call-rows", "/call-history", "/call-jobs", "/chat-sessions"],
  });
  const person = number ?? t`This person`;
  const confirm = async () => {
    const isSure = await ask({
      title: t`No more contact with them?`,
      body: t`${person} goes on the do-not-call list: calls are skipped, and no message is sent.`,
      action: t`Put on the list`,
      isDangerous: true,
    });
    if (isSure) notifyResult(decide.mutateAsync({ decision: "CONFIRM" }), t`${person} is not contacted any more.`);
  };
  const dismiss = async () => {
    const isSure = await ask({
      title: t`Go on contacting them?`,
      body: t`${person} is called and written to again; what waited goes on. This cannot be taken back here.`,
      action: t`Dismiss review`,
    });
    if (isSure) notifyResult(decide.mutateAsync({ decision: "DISMISS" }), t`${person} may be contacted again.`);
  };
  return (
    <Group gap="xs">
      <Button size="xs" color="red" variant="light" loading={decide.isPending} onClick={() => void confirm()}>
        {t`Opt out`}
      </Button>
      <Button size="xs" variant="default" loading={decide.isPending} onClick={() => void dismiss()}>
        {t`Dismiss`}
      </Button>
    </Group>
  );
}
