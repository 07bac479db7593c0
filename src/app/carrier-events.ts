import { noteDelivery } from "#src/interactions/chats/delivery-reports.ts";
import { takeMessageIn } from "#src/interactions/chats/inbound.ts";
import type { Inbox } from "#src/interactions/dispatch/inbox.ts";
import type { Node } from "#src/interactions/dispatch/node.ts";
import type { InboundCallHandler } from "#src/interactions/inbound-calls/inbound-call-handler.ts";
import { ofAccount } from "#src/numbers/carrier-accounts/carrier-account-cache.ts";
import type {
  CarrierEventRouter,
  CarrierEventSource,
  Forward,
  RoutedEvent,
} from "#src/numbers/carrier-accounts/webhook-routes.ts";
import type { Database } from "#src/platform/db/database.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { FarNode, NodeIdentity } from "#src/platform/kernel/node-identity.ts";
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
  node: NodeIdentity & Pick<Node, "findStandIns">;
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
      source: CarrierEventSource,
      webhookEvent: CarrierWebhookEvent,
      forward: Forward | undefined,
    ): Promise<RoutedEvent> {
      const { workspaceId, account } = source;
      switch (webhookEvent.kind) {
        case "CALL":
          return { answer: null, holder: await takeEvent(parts, source, webhookEvent.event, forward === undefined) };
        case "CALL_IN": {
          const passOn = forward && (() => passToStandIn(parts.node, forward));
          const arrival = { workspaceId, account, call: webhookEvent.call, passOn, isForwarded: !forward };
          return { answer: await parts.inbound.take(arrival), holder: null };
        }
        case "MESSAGE_IN":
          await takeMessageIn(parts, workspaceId, webhookEvent.message);
          break;
        case "DELIVERY":
          await noteDelivery(parts.database, workspaceId, webhookEvent.report);
      }
      parts.wake();
      return { answer: null, holder: null };
    },
  };
}

/** Sends a call that comes in to one other node after the other, for this one has no room; null when none took it. */
async function passToStandIn(node: Pick<Node, "findStandIns">, forward: Forward): Promise<WebhookAnswer | null> {
  for (const standIn of await node.findStandIns()) {
    const answer = await forward(standIn);
    if (answer) return answer;
  }
  return null;
}

/**
 * Finds an attempt, and the other live node that holds it.
 * $1 workspace, $2 attempt, $3 this node.
 */
const FIND_HOLDER = `
select n.id, n.address
  from call_attempts a
  left join call_rows r on r.workspace_id = a.workspace_id and r.id = a.row_id and r.attempt_id = a.id
  left join nodes n on n.id = r.lease_owner and n.id <> $3 and n.alive_until > now()
 where a.workspace_id = $1 and a.id = $2`;

/** Stores an event of an attempt. Returns the other node that holds the attempt; null when there is none. */
async function takeEvent(
  { database, inbox, carrierMedia, node }: CarrierEventRouterParts,
  { provider, workspaceId, account }: CarrierEventSource,
  event: CarrierEvent,
  isForwarded: boolean,
): Promise<FarNode | null> {
  const known = await database.pool.query<{ id: string | null; address: string | null }>({
    name: "holder-of-attempt",
    text: FIND_HOLDER,
    values: [workspaceId, event.attemptId, node.id],
  });
  const [found] = known.rows;
  // An event for an unknown attempt is acknowledged, or the carrier would repeat it for days.
  if (!found) return null;
  await inbox.receive(provider, ofAccount(account.id, event), isForwarded);
  if (event.type === "ENDED") carrierMedia.close(event.attemptId);
  return found.id !== null && found.address !== null ? { id: found.id, address: found.address } : null;
}
