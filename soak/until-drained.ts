import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";

/** The queue is empty by then, or the calls do not keep up. */
const DRAIN_MS = 300_000;

/** Calls that live, and numbers for which calls wait that are due within the hour; found by index in any history. */
const OPEN = `
select (select count(*) from call_rows where lease_owner is not null)::int + (
  select count(*) from lanes l where l.is_open and exists (
    select 1 from call_rows r where r.phone_number_id = l.phone_number_id and r.job_id = l.job_id
       and r.status in ('QUEUED', 'WAITING_FOR_RETRY') and r.due_at < now() + interval '1 hour'))::int as open`;

/** Waits until no call waits or lives; a fault is noted if that takes longer than five minutes. */
export async function untilDrained(client: pg.Client, faults: string[]): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await client.query<{ open: number }>(OPEN);
    const open = rows[0]?.open ?? 0;
    if (open === 0) return;
    if (performance.now() - startedAt > DRAIN_MS) {
      faults.push(
        `${open} calls or numbers with calls were not done ${DRAIN_MS / 60_000} minutes after the last request.`,
      );
      return;
    }
    await pause(1_000);
  }
}
