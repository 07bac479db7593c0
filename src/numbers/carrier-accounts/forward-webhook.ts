import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { type FarNode, NODE_HEADER } from "#src/platform/kernel/node-identity.ts";
import type { CarrierWebhook } from "#src/telephony/carriers/account.ts";

const TIMEOUT_MS = 3_000;
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
 * Sends a carrier's webhook on to the node that holds its call, unchanged: that node verifies the carrier's signature
 * like any other. The address comes from the table of nodes, so it needs no guard of outbound requests. Never rejects:
 * when the node cannot be reached, it asks the carrier once the phone has rung for its time.
 */
export async function forwardWebhook(
  { id, address }: FarNode,
  { method, url, headers, body }: CarrierWebhook,
  log: Log,
): Promise<void> {
  const kept = new Headers({ [NODE_HEADER]: id });
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !OF_ONE_HOP.has(name)) kept.set(name, String(value));
  try {
    const sent = method === "POST" ? { body: new Uint8Array(body) } : {};
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const reply = await fetch(address + url, { method, headers: kept, redirect: "error", signal, ...sent });
    await reply.body?.cancel();
    if (!reply.ok) log.warn("Another node did not take a carrier's event.", { nodeId: id, status: reply.status });
  } catch (error) {
    const hint = "see PARLEY_NODE_URL there";
    log.warn("The node that holds a call could not be reached.", { nodeId: id, hint, error: toError(error).message });
  }
}
