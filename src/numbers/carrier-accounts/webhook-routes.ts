import { Reply, type RequestOf, type Route, route } from "#src/platform/http/route.ts";
import { anyValue, Type, Uuid } from "#src/platform/http/schemas.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { type FarNode, NODE_HEADER } from "#src/platform/kernel/node-identity.ts";
import type {
  CarrierAccount,
  CarrierWebhookEvent,
  CarrierWebhook,
  WebhookAnswer,
} from "#src/telephony/carriers/account.ts";
import type { CarrierAccountCache } from "./carrier-account-cache.ts";
import { cleanWebhookEvent } from "./clean-webhook-event.ts";
import { forwardWebhook } from "./forward-webhook.ts";

/** Generous: carriers send a few kilobytes. */
const MAX_BODY_BYTES = 256 * 1024;
const PATH = "/api/webhooks/carriers/{provider}/{accountId}/*";

/** Origin of an event. */
export interface CarrierEventSource {
  workspaceId: string;
  /** As in PhoneNumberResponse. */
  provider: string;
  account: CarrierAccount;
}

/** Result of routing an event. */
export interface RoutedEvent {
  /** The answer to a CALL_IN; null for the rest. */
  answer: WebhookAnswer | null;
  /** The other live node that holds the event's call; null when there is none. */
  holder: FarNode | null;
}

/** Sends the webhook of an event to another node, and returns its answer; null when it gave none. */
export type Forward = (node: FarNode) => Promise<WebhookAnswer | null>;

/** Routes the events of carriers. */
export interface CarrierEventRouter {
  /**
   * Stores an event, which may be acknowledged when this resolves. `forward` sends its webhook to another node; absent
   * when another node has sent it here: it has stored the event of a call that this one holds, or has no room for a
   * call that comes in.
   */
  take(source: CarrierEventSource, event: CarrierWebhookEvent, forward: Forward | undefined): Promise<RoutedEvent>;
}

/** Dependencies of the webhook routes. */
export interface WebhookParts {
  accounts: CarrierAccountCache;
  events: CarrierEventRouter;
  publicUrl: string;
  log: Log;
}

/**
 * Returns the routes to which carriers send events: of calls, of messages, and of what comes in. 404 for an unknown
 * account, 403 for a signature that is not the carrier's, 400 for a malformed request. Carriers repeat whatever is not
 * answered with 2xx.
 */
export function carrierWebhookRoutes(parts: WebhookParts): Route[] {
  const common = {
    audience: "public",
    access: "PUBLIC",
    tag: "Carriers",
    path: PATH,
    free: true,
    params: Type.Object({ provider: Type.String({ maxLength: 20 }), accountId: Uuid, "*": Type.String() }),
    produces: "*/*",
    replies: { 200: anyValue("What the carrier expects.") },
  } as const;
  return [
    route({
      ...common,
      method: "POST",
      summary: "Webhooks of a carrier",
      bodyKind: "ANY",
      bodyLimit: MAX_BODY_BYTES,
      run: (request) => takeWebhook(parts, "POST", request),
    }),
    route({
      ...common,
      method: "GET",
      summary: "Webhooks of a carrier that asks with GET",
      run: (request) => takeWebhook(parts, "GET", request),
    }),
  ];
}

type WebhookRequest = RequestOf<{ provider: string; accountId: string; "*": string }, unknown, unknown>;

async function takeWebhook(
  parts: WebhookParts,
  method: CarrierWebhook["method"],
  { params, url, headers, bytes }: WebhookRequest,
): Promise<Reply> {
  const provider = params.provider.toUpperCase();
  const found = await parts.accounts.openForWebhook(provider, params.accountId);
  if (!found) throw new AppError("NOT_FOUND");
  const webhook = { method, url: parts.publicUrl + url, path: params["*"], headers, body: bytes };
  const reading = found.account.readWebhook(webhook);
  if (reading.kind === "FORGED") {
    parts.log.warn("A webhook was refused.", { provider, accountId: params.accountId, reason: reading.message });
    throw new AppError("FORBIDDEN", reading.message);
  }
  if (reading.kind === "MALFORMED") throw new AppError("BAD_REQUEST", reading.message);
  let answer = reading.answer;
  const source = { provider, ...found };
  const reported = reading.events.map((event) => cleanWebhookEvent(event, nowMs()));
  if (!reported.every((events) => events !== null))
    throw new AppError("BAD_REQUEST", "Its ids are none of a carrier's.");
  const mayForward = headers[NODE_HEADER] === undefined;
  const forward: Forward = (node) => forwardWebhook(node, { ...webhook, url }, parts.log);
  const holders = new Map<string, FarNode>();
  for (const event of reported) {
    const routed = await parts.events.take(source, event, mayForward ? forward : undefined);
    answer = routed.answer ?? answer;
    if (routed.holder && mayForward) holders.set(routed.holder.id, routed.holder);
  }
  for (const holder of holders.values()) void forward(holder);
  return new Reply(answer.status, answer.body === "" ? undefined : answer.body, toTexts(answer.headers));
}

function toTexts(headers: WebhookAnswer["headers"]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
