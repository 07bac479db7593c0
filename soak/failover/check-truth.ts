import { highestConcurrency, type Line } from "../../tests/kit/ledger-check.ts";

/** Ends of a call that nobody answered, in the words that carrier and API share. */
const UNANSWERED = new Set(["BUSY", "NO_ANSWER", "REJECTED", "INVALID_NUMBER", "UNREACHABLE", "CARRIER_FAILURE"]);
/** A node's lease, renewed once while the dial waits for the database; a node that was paused dials after 30 s. */
const LEASE_MS = 20_000;

/**
 * Returns the faults of ended rows, by number, against the carrier's ledger: outcomes that it denies, more calls of one
 * number at once than its slots, and dials that left after the lease under which they were claimed. It shares no code
 * with the service.
 */
export function checkTruth(lines: Line[], rows: ReadonlyMap<string, Record<string, unknown>>, slots: number): string[] {
  const faults: string[] = [];
  const ends = new Map(lines.flatMap(({ to, outcome }) => (outcome === undefined ? [] : [[to, outcome]])));
  for (const [number, { outcome }] of rows) {
    const said = ends.get(number);
    const isUnanswered = UNANSWERED.has(String(outcome));
    if (said === undefined ? isUnanswered : UNANSWERED.has(said) !== isUnanswered)
      faults.push(`${number} ended ${String(outcome)}, and the carrier says ${said ?? "nothing"}`);
  }
  for (const from of new Set(lines.map((line) => line.from))) {
    const highest = highestConcurrency(lines, from);
    if (from !== "" && highest > slots) faults.push(`${from} held ${highest} calls at once of ${slots}`);
  }
  for (const { attemptId, at, event, to } of lines) {
    // The id of an attempt holds the time of its claim by the database's clock (RFC 9562, section 5.7).
    const claimedMs = Number.parseInt(attemptId.replaceAll("-", "").slice(0, 12), 16);
    const afterMs = Date.parse(at) - claimedMs;
    if (event === "ACCEPTED" && afterMs > LEASE_MS) faults.push(`${to} was dialled ${afterMs} ms after its claim`);
  }
  return faults;
}
