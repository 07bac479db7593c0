import type { AccountCheck } from "#src/telephony/carriers/account.ts";
import { readCheckFailure } from "#src/telephony/carriers/carrier-http.ts";
import type { TwilioAccount } from "./twilio-account.ts";
import { readSuccess, textOf } from "./twilio-api.ts";
import { readFault, TWILIO_NAME } from "./twilio-errors.ts";

const TRIAL =
  " It is a trial account: Twilio reaches verified numbers only, and speaks a notice at the start of each call.";

/** Reads the account with its token, which must be right because it verifies webhooks, and then the parts in use. */
export async function checkTwilio({ api, parts }: TwilioAccount, signal: AbortSignal): Promise<AccountCheck> {
  const reply = await api.send({ method: "GET", path: ".json", signal, asAccount: true });
  const failure = readCheckFailure(reply, TWILIO_NAME, readFault(reply));
  if (failure) return failure;
  const account = readSuccess(reply);
  const status = account && textOf(account, "status");
  if (!account || !status) {
    return { kind: "UNREACHABLE", code: "UNREADABLE", message: "What answers at the address is not Twilio." };
  }
  if (status !== "active") {
    const code = `ACCOUNT_${status.toUpperCase().slice(0, 40)}`;
    const message = `${TWILIO_NAME} has ${status} the account: see Billing in the Twilio Console, or ask its support.`;
    return { kind: "REFUSED", code, message };
  }
  const fields = [["PageSize", "1"]] as const;
  const numbers = await api.send({ method: "GET", path: "/IncomingPhoneNumbers.json", fields, signal });
  const refused = readCheckFailure(numbers, TWILIO_NAME, readFault(numbers));
  if (refused) return api.usesKey ? { ...refused, message: `${refused.message} ${KEY_NEEDS}` } : refused;
  const name = textOf(account, "friendly_name") ?? "without a name";
  const trial = textOf(account, "type") === "Trial" ? TRIAL : "";
  return { kind: "WORKS", message: `${TWILIO_NAME} account "${name}" works.${trial}${noteAddress(parts.publicUrl)}` };
}

const KEY_NEEDS = "The API key needs to read and write calls, messages and phone numbers.";

/** Warns about a public address that Twilio cannot contact: with right keys nothing would work. */
function noteAddress(publicUrl: string): string {
  const { protocol, hostname } = new URL(publicUrl);
  const isLocal = hostname === "localhost" || hostname.startsWith("127.") || hostname === "[::1]";
  if (protocol === "https:" && !isLocal) return "";
  return ` But ${TWILIO_NAME} must reach this server: set PARLEY_URL to its public https:// address (it is ${publicUrl}).`;
}
