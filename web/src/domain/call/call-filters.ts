import type { Query } from "#web/api/http.ts";
import { t } from "#web/i18n/t.ts";
import type { Filter } from "#web/ui/filters/filter.ts";
import type { FilterValues } from "#web/ui/filters/url-state.ts";
import { formatName } from "#web/ui/format/format.ts";

const STATUSES =
  "QUEUED DIALING RINGING IN_PROGRESS UNKNOWN WAITING_FOR_RETRY WAITING_FOR_WINDOW COMPLETED FAILED SKIPPED CANCELLED UNCONFIRMED";
const OUTCOMES =
  "ANSWERED VOICEMAIL CALL_SCREENED IVR FAX BUSY NO_ANSWER REJECTED INVALID_NUMBER UNREACHABLE CARRIER_FAILURE OPTED_OUT TRANSFERRED INTERRUPTED INTERRUPTED_BY_OPERATOR BLOCKED CANCELLED UNCONFIRMED FLOW_MISSING";
const options = (names: string) => names.split(" ").map((value) => ({ value, label: formatName(value) }));

/** Filters of the call history. */
export const CALL_FILTERS: Filter[] = [
  { name: "search", label: t`Name or number`, kind: "text", width: 160 },
  { name: "status", label: t`Status`, kind: "many", options: options(STATUSES), width: 130 },
  { name: "outcome", label: t`Outcome`, kind: "many", options: options(OUTCOMES), width: 130 },
  { name: "direction", label: t`Direction`, kind: "select", options: options("OUTBOUND INBOUND"), width: 120 },
  {
    name: "humanRequested",
    label: t`Asked for a human`,
    kind: "select",
    options: [
      { value: "true", label: t`Asked for a human` },
      { value: "false", label: t`Did not ask` },
    ],
    width: 150,
  },
  { name: "flowApiId", label: t`Flow`, kind: "text", width: 130 },
  { name: "from", label: t`From day`, kind: "day" },
  { name: "until", label: t`Until day`, kind: "day" },
];

/** The filters as the API takes them; days are in the viewer's time zone. */
export function toCallQuery({ from, until, ...values }: FilterValues): Query {
  const only = (name: string) => values[name]?.[0];
  return {
    status: values.status,
    outcome: values.outcome,
    direction: only("direction"),
    humanRequested: only("humanRequested"),
    search: only("search"),
    flowApiId: only("flowApiId"),
    createdAfter: startOf(from?.[0], 0),
    createdBefore: startOf(until?.[0], 1),
  };
}

function startOf(day: string | undefined, plusDays: number): string | undefined {
  const at = new Date(`${day ?? ""}T00:00`);
  if (Number.isNaN(at.getTime())) return undefined;
  at.setDate(at.getDate() + plusDays);
  return at.toISOString();
}
