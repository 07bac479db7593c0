import type { AccountParts } from "#src/telephony/carriers/account.ts";
import type { VonageApi } from "./vonage-api.ts";
import type { VonageCalls } from "./vonage-calls.ts";

/** What the parts of one opened account share. */
export interface VonageParts extends AccountParts {
  accountId: string;
  api: VonageApi;
  calls: VonageCalls;
  signatureSecret: string;
}
