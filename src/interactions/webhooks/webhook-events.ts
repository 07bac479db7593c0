import type { Executor } from "#src/platform/db/database.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { bodyOf, isErased, toDelivery } from "./deliveries.ts";
import { findHorizon, listEventsBetween, type EventCursor, type EventRow } from "./delivery-sql.ts";

/** Events of one answer. */
const MOST_EVENTS = 200;
/** Interval at which a waiting request looks for events. */
const LOOK_MS = 500;
/** Time before the horizon that the next look reads again, for a database whose clock was set back. */
const READ_AGAIN_MICROS = 10_000_000;
const NO_ID = "00000000-0000-0000-0000-000000000000";

/** Kinds of events that a caller may read. */
export type EventKinds = readonly EventRow["kind"][];

/** An event for one of the workspace's webhooks. */
const WebhookEventEntry = Type.Object(
  {
    id: Type.Unsafe<string>({ ...Uuid, description: "Id of the delivery: several webhooks may receive one event." }),
    eventId: Type.String({ description: "The same for every webhook: drop one that was handled." }),
    eventType: Type.String(),
    webhookUrl: nullable(Type.String()),
    createdAt: Timestamp,
    body: Type.String({ description: "JSON text as it is sent." }),
  },
  { $id: "WebhookEventEntry" },
);

/** Events since a cursor, oldest first, and the cursor of the next request. */
export const WebhookEvents = Type.Object(
  { events: Type.Array(WebhookEventEntry), cursor: Type.String() },
  { $id: "WebhookEvents" },
);
type WebhookEvents = Static<typeof WebhookEvents>;

/** Query of the list. */
export const WebhookEventsQuery = Type.Object({
  after: Type.Optional(Type.String({ maxLength: 80, description: "cursor of the answer before. Unset: from now on." })),
  waitSeconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10, description: "Longest wait for the first event. Default 0." }),
  ),
});

/**
 * Returns the events for a workspace's webhooks after a cursor, each exactly once. An event counts once no earlier one
 * can follow it any more, so it may be a moment late. A wait ends soon after `isAbandoned` is true.
 */
export async function getWebhookEvents(
  db: Executor,
  publicUrl: string,
  { workspaceId, kinds }: { workspaceId: string; kinds: EventKinds },
  { after, waitSeconds = 0 }: Static<typeof WebhookEventsQuery>,
  isAbandoned: () => boolean,
): Promise<WebhookEvents> {
  const until = nowMs() + waitSeconds * 1_000;
  for (let from = after === undefined ? { micros: await findHorizon(db), id: NO_ID } : readCursor(after); ;) {
    const horizon = await findHorizon(db);
    const rows = await listEventsBetween(db, workspaceId, { kinds, from, horizon, limit: MOST_EVENTS });
    from = rows.at(-1) ?? from;
    if (rows.length < MOST_EVENTS) from = moveOn(from, horizon);
    const remainingMs = until - nowMs();
    if (rows.length > 0 || remainingMs <= 0 || isAbandoned()) {
      const events = rows.filter((row) => !isErased(row)).map((row) => toEvent(publicUrl, row));
      return { events, cursor: writeCursor(from) };
    }
    await sleep(Math.min(LOOK_MS, remainingMs));
  }
}

/**
 * Moves a cursor after which there is nothing up to the latest time. Otherwise every look would read all events of other
 * kinds that came since the last one of these.
 */
function moveOn(from: EventCursor, horizon: string): EventCursor {
  const readAgain = Number(horizon) - READ_AGAIN_MICROS;
  return Number(from.micros) < readAgain ? { micros: String(readAgain), id: NO_ID } : from;
}

function toEvent(publicUrl: string, row: EventRow): WebhookEvents["events"][number] {
  const { id, eventId, eventType, url, createdAt } = toDelivery(row);
  return { id, eventId: eventId ?? id, eventType, webhookUrl: url, createdAt, body: bodyOf(publicUrl, row) };
}

function writeCursor({ micros, id }: EventCursor): string {
  return `${micros}.${id}`;
}

function readCursor(text: string): EventCursor {
  const [, micros, id] = /^(\d{1,16})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text) ?? [];
  if (micros === undefined || id === undefined) {
    throw fieldError("after", "FORMAT", "is not the cursor of an answer of this list.");
  }
  return { micros, id };
}
