import { noteDelivery } from "#src/interactions/chats/delivery-reports.ts";
import { takeMessageIn } from "#src/interactions/chats/inbound.ts";
import type { Inbox } from "#src/interactions/dispatch/inbox.ts";
import type { InboundCallHandler } from "#src/interactions/inbound-calls/inbound-call-handler.ts";
import { ofAccount } from "#src/numbers/carrier-accounts/carrier-account-cache.ts";
import type { CarrierEventRouter, CarrierEventSource } from "#src/numbers/carrier-accounts/webhook-routes.ts";
import type { Database } from "#src/platform/db/database.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { CarrierWebhookEvent, WebhookAnswer } from "#src/telephony/carriers/account.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import type { MediaSocketGateway } from "#src/telephony/carriers/media-socket-gateway.ts";

/** Dependencies of the router of carrier events. */
export interface CarrierEventRouterParts {
  database: Database;
  carrierMedia: MediaSocketGateway;
  log: Log;
  inbox: Inbox;
  inbound: InboundCallHandler;
  /** Wakes the dispatcher, the task worker and the event streams. */
  wake: () => void;
}

/**
 * Routes the events of carriers. A workspace may have forged the events of its own account, so none of them affects
 * another workspace: an event counts only for an attempt of the account's workspace, and its key is prefixed with the
 * account.
 */
export function createCarrierEventRouter(parts: CarrierEventRouterParts): CarrierEventRouter {
  return {
    async take(
      { workspaceId, provider, account }: CarrierEventSource,
      webhookEvent: CarrierWebhookEvent,
    ): Promise<WebhookAnswer | null> {
      switch (webhookEvent.kind) {
        case "CALL":
          await takeEvent(parts, { workspaceId, provider, account }, webhookEvent.event);
          return null;
        case "CALL_IN":
          return parts.inbound.take({ workspaceId, account, call: webhookEvent.call });
        case "MESSAGE_IN":
          await takeMessageIn(parts, workspaceId, webhookEvent.message);
          parts.wake();
          return null;
        case "DELIVERY":
          await noteDelivery(parts.database, workspaceId, webhookEvent.report);
          parts.wake();
          return null;
      }
    },
  };
}

async function takeEvent(
  parts: CarrierEventRouterParts,
  { provider, workspaceId, account }: CarrierEventSource,
  event: CarrierEvent,
) {
  const known = await parts.database.pool.query({
    name: "attempt-of-workspace",
    text: "select 1 from call_attempts where workspace_id = $1 and id = $2",
    values: [workspaceId, event.attemptId],
  });
  // An event for an unknown attempt is acknowledged, or the carrier would repeat it for days.
  if (known.rows.length === 0) return;
  await parts.inbox.receive(provider, ofAccount(account.id, event));
  if (event.type === "ENDED") parts.carrierMedia.close(event.attemptId);
}
