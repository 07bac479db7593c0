import type { CarrierReply } from "#src/telephony/carriers/carrier-http.ts";
import type { AskedAttempt } from "#src/telephony/carriers/carrier.ts";
import { fromVonageNumber, type VonageApi } from "./vonage-api.ts";
import { readFault } from "./vonage-errors.ts";
import { asJson, asJsonList, asText, type Json } from "./vonage-json.ts";

/** A call as Vonage lists it. */
export interface CallRecord {
  callId: string;
  /** E.164; null for an address. */
  from: string | null;
  /** E.164; null for an address. */
  to: string | null;
  json: Json;
}

/** Result of a look-up of an attempt. */
export type FoundCall =
  | { kind: "FOUND"; call: CallRecord }
  | { kind: "ABSENT" }
  | { kind: "UNCERTAIN"; message: string };

const PAGE_SIZE = 100;
/** Far more calls than an account starts within the horizon of a look-up at its initial rate. */
const MOST_PAGES = 10;
/** The two clocks differ by less, and two attempts to one person are further apart. */
const SKEW_MS = 5_000;

/** Finds a call by its id, or by both numbers the newest call that began since the attempt was dialled. */
export async function findCall(api: VonageApi, attempt: AskedAttempt, signal: AbortSignal): Promise<FoundCall> {
  if (!api.privateKey) return { kind: "UNCERTAIN", message: "The account's private key does not open." };
  if (attempt.providerCallId) return findById(api, attempt.providerCallId, signal);
  // In whole seconds, as in the documentation.
  const dateStart = new Date(attempt.dialledAt.getTime() - SKEW_MS).toISOString().replace(/\.\d+Z$/, "Z");
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = {
      date_start: dateStart,
      order: "desc",
      page_size: `${PAGE_SIZE}`,
      record_index: `${page * PAGE_SIZE}`,
    };
    const reply = await api.call(
      { method: "GET", host: "api", path: "/v1/calls", proof: "APPLICATION", query },
      signal,
    );
    if (reply.kind === "FAILED" || reply.status !== 200) return { kind: "UNCERTAIN", message: describe(reply) };
    const records = asJsonList(asJson(asJson(reply.json)._embedded).calls);
    const call = records.map(readCallRecord).find((record) => isOf(record, attempt));
    if (call) return { kind: "FOUND", call };
    if (records.length < PAGE_SIZE) return { kind: "ABSENT" };
  }
  return { kind: "UNCERTAIN", message: "Vonage lists too many calls to find this one." };
}

async function findById(api: VonageApi, callId: string, signal: AbortSignal): Promise<FoundCall> {
  const path = `/v1/calls/${encodeURIComponent(callId)}`;
  const reply = await api.call({ method: "GET", host: "api", path, proof: "APPLICATION" }, signal);
  if (reply.kind === "ANSWER" && reply.status === 404) return { kind: "ABSENT" };
  const call = reply.kind === "ANSWER" && reply.status === 200 ? readCallRecord(asJson(reply.json)) : null;
  return call ? { kind: "FOUND", call } : { kind: "UNCERTAIN", message: describe(reply) };
}

/** Reads a listed call; null when it is not one. */
export function readCallRecord(json: Json): CallRecord | null {
  const callId = asText(json.uuid);
  return callId ? { callId, from: numberOf(json.from), to: numberOf(json.to), json } : null;
}

/** Reads the number of an endpoint; Vonage sends a single one or a list of one. */
function numberOf(endpoint: unknown): string | null {
  const json = Array.isArray(endpoint) ? asJson(endpoint[0]) : asJson(endpoint);
  return fromVonageNumber(json.number);
}

function isOf(record: CallRecord | null, attempt: AskedAttempt): record is CallRecord {
  return record?.from === attempt.from && record.to === attempt.to && record.json.direction !== "inbound";
}

function describe(reply: CarrierReply): string {
  const said = reply.kind === "FAILED" ? reply.message : (readFault(reply)?.message ?? `HTTP ${reply.status}`);
  return `Vonage could not be asked about the call: ${said}`;
}

/**
 * Returns the numbers of a call that this node did not place; null when they are not known. A caller's withheld number
 * is empty.
 */
export async function findNumbers(
  api: VonageApi,
  callId: string,
  signal: AbortSignal,
): Promise<{ ours: string; theirs: string } | null> {
  const found = await findById(api, callId, signal);
  if (found.kind !== "FOUND") return null;
  const { from, to, json } = found.call;
  const [ours, theirs] = json.direction === "inbound" ? [to, from] : [from, to];
  return ours ? { ours, theirs: theirs ?? "" } : null;
}
