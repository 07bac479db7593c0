import type { TestDatabase } from "../database.ts";
import type { Ring } from "./dial-ledger.ts";
import { CALLS_PER_SECOND } from "./paused-nodes.ts";

/** Longest time between the statement that let a dial out and its arrival here, on a busy machine. */
const ON_ITS_WAY_MS = 1_500;

/** Faults in the rings of a run, in words, by kind. */
export interface Judgement {
  rungTwice: string[];
  afterEnd: string[];
  afterCancel: string[];
  offPace: string[];
}

interface AttemptRow {
  id: string;
  row_id: string;
  job_id: string;
  state: string;
  ended_ms: number | null;
  attempts_made: number;
  status: string;
}

/**
 * Compares the carriers' ledgers with the service's own records. `cancelled`: time at which the cancel of a job was
 * answered, by the job's id, in milliseconds since the epoch.
 */
export async function judge(
  database: TestDatabase,
  rings: Ring[],
  cancelled: ReadonlyMap<string, number>,
): Promise<Judgement> {
  const attempts = await database.query<AttemptRow & { ended_ms: number | null }>(
    `select a.id, a.row_id, r.job_id, a.state, extract(epoch from a.ended_at)::float8 * 1000 as ended_ms, r.attempts_made, r.status
       from call_attempts a join call_rows r on r.workspace_id = a.workspace_id and r.id = a.row_id`,
  );
  const byId = new Map(attempts.map((attempt) => [attempt.id, attempt]));
  const found: Judgement = { rungTwice: [], afterEnd: [], afterCancel: [], offPace: findOffPace(rings) };
  const ofAttempt = new Map<string, number>();
  const ofRow = new Map<string, number>();
  for (const ring of rings) {
    const what = `${ring.carrier} ${ring.to} at ${new Date(ring.atMs).toISOString()}`;
    const attempt = byId.get(ring.attemptId);
    if (!attempt) {
      found.afterEnd.push(`${what}: no such attempt`);
      continue;
    }
    const times = (ofAttempt.get(attempt.id) ?? 0) + 1;
    ofAttempt.set(attempt.id, times);
    ofRow.set(attempt.row_id, (ofRow.get(attempt.row_id) ?? 0) + 1);
    if (times > 1) found.rungTwice.push(`${what}: attempt ${attempt.id} for the ${times}. time`);
    else if ((ofRow.get(attempt.row_id) ?? 0) > 1) found.rungTwice.push(`${what}: row ${attempt.row_id} again`);
    if (attempt.ended_ms !== null && ring.atMs > attempt.ended_ms + ON_ITS_WAY_MS)
      found.afterEnd.push(`${what}: ${ring.atMs - attempt.ended_ms} ms after its end as ${attempt.state}`);
    const cancelledMs = cancelled.get(attempt.job_id);
    if (cancelledMs !== undefined && ring.atMs > cancelledMs + ON_ITS_WAY_MS)
      found.afterCancel.push(`${what}: ${ring.atMs - cancelledMs} ms after its job was cancelled`);
  }
  return found;
}

/**
 * Finds more dials of one account within a second than its pace allows, plus one for the jitter of a busy machine. The
 * first of them counts from its earliest possible time, so that a paused ledger blames no dial of the meantime.
 */
function findOffPace(rings: Ring[]): string[] {
  const faults: string[] = [];
  for (const carrier of new Set(rings.map((ring) => ring.carrier))) {
    if (carrier === "SANDBOX") continue;
    const dials = rings.filter((ring) => ring.carrier === carrier).sort((a, b) => a.atMs - b.atMs);
    const most = CALLS_PER_SECOND + 1;
    for (const [i, { atMs, earliestMs = atMs }] of dials.entries()) {
      const later = dials[i + most];
      if (later !== undefined && later.atMs - earliestMs < 1_000)
        faults.push(
          `${carrier}: ${most + 1} dials in ${later.atMs - earliestMs} ms from ${new Date(atMs).toISOString()}`,
        );
    }
  }
  return faults;
}
