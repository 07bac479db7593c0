import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { type FarNode, NODE_HEADER } from "#src/platform/kernel/node-identity.ts";
import type { CarrierWebhook, WebhookAnswer } from "#src/telephony/carriers/account.ts";

/** Shorter than the patience of carriers, who wait for the answer to a call that comes in. */
const TIMEOUT_MS = 4_000;
/** Headers of the connection, which belong to one hop (RFC 9110, section 7.6.1), and the length, which is set anew. */
const OF_ONE_HOP = new Set([
  "connection",
  "content-length",
  "host",
  "keep-alive",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Sends a carrier's webhook on to the node that holds its call, or that has room for it, unchanged: that node verifies
 * the carrier's signature like any other. The address comes from the table of nodes, so it needs no guard of outbound
 * requests. Returns the node's answer, null when it gave none or a fault; never rejects. A holder that cannot be reached
 * asks the carrier once the phone has rung for its time.
 */
export async function forwardWebhook(
  { id, address }: FarNode,
  { method, url, headers, body }: CarrierWebhook,
  log: Log,
): Promise<WebhookAnswer | null> {
  const kept = new Headers({ [NODE_HEADER]: id });
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !OF_ONE_HOP.has(name)) kept.set(name, String(value));
  try {
    const sent = method === "POST" ? { body: new Uint8Array(body) } : {};
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const reply = await fetch(address + url, { method, headers: kept, redirect: "error", signal, ...sent });
    const text = await reply.text();
    const type = reply.headers.get("content-type");
    if (reply.ok) return { status: reply.status, headers: type === null ? {} : { "content-type": type }, body: text };
    log.warn("Another node did not take a carrier's event.", { nodeId: id, status: reply.status });
  } catch (error) {
    const hint = "see PARLEY_NODE_URL there";
    log.warn("Another node could not be reached with a call's event.", {
      nodeId: id,
      hint,
      error: toError(error).message,
    });
  }
  return null;
}
