import { asObject } from "#src/platform/kernel/json-object.ts";
import type { AccountCheck } from "#src/telephony/carriers/account.ts";
import { type CarrierReply, readCheckFailure } from "#src/telephony/carriers/carrier-http.ts";
import { asText } from "#src/telephony/carriers/socket-json.ts";
import { encodePart, readData, readFault, type TelnyxApi } from "./telnyx-api.ts";
import { explainAccount } from "./telnyx-errors.ts";

/** Parts of an account to check. */
export interface CheckedAccount {
  connectionId: string;
  messagingProfileId: string | null;
}

/** Checks an account with reads only: its application, which calls need, its messaging profile, and its credit. */
export async function checkTelnyx(api: TelnyxApi, account: CheckedAccount, signal: AbortSignal): Promise<AccountCheck> {
  const { connectionId, messagingProfileId } = account;
  const path = `/call_control_applications/${encodePart(connectionId)}`;
  const found = await api({ method: "GET", path, signal });
  const failed = readFailure(found, `connectionId ${connectionId} is no Voice API application of this account.`);
  if (failed) return failed;
  const application = readData(found);
  if (application?.["active"] === false) {
    return refuse("APPLICATION_INACTIVE", "The Voice API application is not active: switch it on in the portal.");
  }
  if (!asText(asObject(application?.["outbound"])?.["outbound_voice_profile_id"])) {
    const message =
      "The Voice API application has no Outbound Voice Profile, so it cannot call: choose one in the portal.";
    return refuse("NO_OUTBOUND_PROFILE", message);
  }
  if (messagingProfileId) {
    const profilePath = `/messaging_profiles/${encodePart(messagingProfileId)}`;
    const profile = await api({ method: "GET", path: profilePath, signal });
    const missing = readFailure(profile, "messagingProfileId is no messaging profile of this account.");
    if (missing) return missing;
  }
  return checkCredit(await api({ method: "GET", path: "/balance", signal }));
}

function readFailure(reply: CarrierReply, unknown: string): AccountCheck | null {
  const fault = readFault(reply);
  const failed = readCheckFailure(reply, "Telnyx", fault);
  if (failed?.kind !== "REFUSED" || reply.kind !== "ANSWER") return failed;
  const message = explainAccount(fault);
  if (message) return refuse(failed.code, message);
  if (reply.status === 404 || reply.status === 422) return refuse(failed.code, unknown);
  const hint = "The API key is wrong, or lacks the permission to read this: look at API Keys in the portal.";
  return reply.status === 401 || reply.status === 403 ? refuse(failed.code, `${failed.message}. ${hint}`) : failed;
}

/** Checks the credit; a key that may not read the balance still works. */
function checkCredit(reply: CarrierReply): AccountCheck {
  const balance = readData(reply);
  const credit = Number(balance?.["available_credit"] ?? Number.NaN);
  if (Number.isNaN(credit)) return { kind: "WORKS", message: "Telnyx takes the key, and the application can call." };
  if (credit <= 0)
    return refuse("INSUFFICIENT_FUNDS", "The Telnyx account has no credit left: top it up in the portal.");
  const currency = asText(balance?.["currency"]) ?? "";
  const message = `Telnyx takes the key, and the application can call. Credit: ${credit.toFixed(2)} ${currency}`.trim();
  return { kind: "WORKS", message };
}

function refuse(code: string, message: string): AccountCheck {
  return { kind: "REFUSED", code, message };
}
