import type pg from "pg";
import type { CarrierEvent } from "#src/carriers/carrier.ts";
import type { ToldByEvents } from "./reconcile.ts";

const TOLD = `select payload as event from carrier_events where attempt_id = $1 order by received_at`;

/** What the events of an attempt told so far, whichever node stored them; null: none came. */
export async function readTold(pool: pg.Pool, attemptId: string): Promise<ToldByEvents | null> {
  const { rows } = await pool.query<{ event: CarrierEvent }>({ name: "told", text: TOLD, values: [attemptId] });
  const events = rows.map(({ event }) => event);
  const [first] = events;
  if (!first) return null;
  const { providerCallId } = first;
  const ended = events.find((event) => event.type === "ENDED");
  if (ended) return { providerCallId, state: { kind: "ENDED", event: ended } };
  const answered = events.find((event) => event.type === "ANSWERED");
  if (answered) return { providerCallId, state: { kind: "ANSWERED", providerCallId, answeredBy: answered.answeredBy } };
  return { providerCallId, state: { kind: "RINGING", providerCallId } };
}
