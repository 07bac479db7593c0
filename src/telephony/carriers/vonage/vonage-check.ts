import type { AccountCheck } from "#src/telephony/carriers/account.ts";
import { type CarrierReply, readCheckFailure } from "#src/telephony/carriers/carrier-http.ts";
import type { VonageApi } from "./vonage-api.ts";
import { BAD_PRIVATE_KEY, readFault } from "./vonage-errors.ts";
import { asJson } from "./vonage-json.ts";

/**
 * Checks that an account works, with reads that cost nothing: the application by key and secret, its calls by the
 * private key, and the balance.
 */
export async function checkVonage(api: VonageApi, signal: AbortSignal): Promise<AccountCheck> {
  if (!api.privateKey) return { kind: "REFUSED", code: "BAD_PRIVATE_KEY", message: BAD_PRIVATE_KEY };
  const path = `/v2/applications/${api.applicationId}`;
  const application = await api.call({ method: "GET", host: "api", path, proof: "ACCOUNT" }, signal);
  const refused = readFailure(application, {
    401: "Vonage does not accept the API key and secret. Copy both from the API settings of the dashboard.",
    403: "The API key may not read applications. Use the key of the account that owns the application.",
    404: "The account has no application of this id. Copy the id from Applications in the dashboard.",
  });
  if (refused) return refused;
  const query = { page_size: "1" };
  const calls = await api.call({ method: "GET", host: "api", path: "/v1/calls", proof: "APPLICATION", query }, signal);
  const denied = readFailure(calls, {
    401: "Vonage does not accept the private key for this application. Generate a new key pair in the application and enter its private key.",
    403: "The application may not place calls. Switch its Voice capability on in the dashboard.",
  });
  if (denied) return denied;
  return describeBalance(
    await api.call({ method: "GET", host: "rest", path: "/account/get-balance", proof: "ACCOUNT" }, signal),
  );
}

function readFailure(reply: CarrierReply, advice: Readonly<Record<number, string>>): AccountCheck | null {
  const fault = readFault(reply);
  const failure = readCheckFailure(reply, "Vonage", fault);
  const known = reply.kind === "ANSWER" ? advice[reply.status] : undefined;
  if (!failure || !known) return failure;
  return { ...failure, message: fault ? `${known} Vonage said: ${fault.message}` : known };
}

/** Describes the balance. Vonage does not report trials, so every message includes the limit of a trial account. */
function describeBalance(reply: CarrierReply): AccountCheck {
  const value = reply.kind === "ANSWER" && reply.status === 200 ? asJson(reply.json).value : null;
  const works = "The account works. A trial account reaches only the test numbers that its dashboard lists.";
  if (typeof value !== "number") return { kind: "WORKS", message: works };
  const balance = `Its balance is EUR ${value.toFixed(2)}`;
  const message = value > 0 ? `${works} ${balance}.` : `${works} ${balance}: top it up before calls are placed.`;
  return { kind: "WORKS", message };
}
