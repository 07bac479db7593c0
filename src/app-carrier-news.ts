import type { NewsDesk, NewsSource } from "#src/carrier-accounts/webhook-routes.ts";
import type { CarrierNews, WebhookAnswer } from "#src/carriers/account.ts";
import type { CarrierEvent } from "#src/carriers/carrier.ts";
import type { MediaDesk } from "#src/carriers/media-desk.ts";
import type { Database } from "#src/db/database.ts";
import type { Inbox } from "#src/dispatch/inbox.ts";

/** What the desk of news is built from. */
export interface NewsParts {
  database: Database;
  inbox: Inbox;
  media: MediaDesk;
}

/**
 * Takes what carriers tell to where it belongs. A workspace may have made up what its own account tells, so nothing of it
 * reaches another workspace: an event counts only for an attempt of the account's workspace, and its key is the
 * account's.
 */
export function createNewsDesk(parts: NewsParts): NewsDesk {
  return {
    async take(source: NewsSource, news: CarrierNews): Promise<WebhookAnswer | null> {
      if (news.kind === "CALL") await takeEvent(parts, source, news.event);
      return null;
    },
  };
}

async function takeEvent({ database, inbox, media }: NewsParts, source: NewsSource, event: CarrierEvent) {
  const { provider, workspaceId, account } = source;
  const known = await database.pool.query({
    name: "attempt-of-workspace",
    text: "select 1 from call_attempts where workspace_id = $1 and id = $2",
    values: [workspaceId, event.attemptId],
  });
  // What nobody asked for is acknowledged, or the carrier would repeat it for days.
  if (known.rows.length === 0) return;
  await inbox.receive(provider, { ...event, eventKey: `${account.id}|${event.eventKey}` });
  if (event.type === "ENDED") media.close(event.attemptId);
}
