import { createHmac, timingSafeEqual } from "node:crypto";

/** Greatest difference between the signature's time and this machine's clock. */
const WINDOW_MS = 300_000;
/** Ids of events that are remembered. A sender repeats one within days; a stranger may within the window. */
const MOST_SEEN = 500;

type Headers = Record<string, string | string[] | undefined>;

/** True for a delivery that has a fresh Standard Webhooks signature over its exact bytes. */
export function isSigned(headers: Headers, body: Buffer, secret: string, nowMs = Date.now()): boolean {
  const id = textOf(headers["webhook-id"]);
  const timestamp = textOf(headers["webhook-timestamp"]);
  if (id === "" || !/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs - Number(timestamp) * 1000) > WINDOW_MS)
    return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  if (key.length === 0) return false;
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  return textOf(headers["webhook-signature"])
    .split(" ")
    .some((one) => {
      const [scheme, signature = ""] = one.split(",");
      const given = Buffer.from(signature, "base64");
      return scheme === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
    });
}

/** Notes an event's id in the node's data; false when it was there already. */
export function noteNew(data: Record<string, unknown>, id: string): boolean {
  const seen = Array.isArray(data.seen) ? (data.seen as unknown[]) : [];
  if (seen.includes(id)) return false;
  data.seen = [...seen, id].slice(-MOST_SEEN);
  return true;
}

function textOf(value: string | string[] | undefined): string {
  return typeof value === "string" ? value : "";
}
