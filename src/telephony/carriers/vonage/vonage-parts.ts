import type { AccountParts } from "#src/telephony/carriers/account.ts";
import type { VonageApi } from "./vonage-api.ts";
import type { VonageCalls } from "./vonage-calls.ts";

/** Parts that the modules of one opened account share. */
export interface VonageParts extends AccountParts {
  accountId: string;
  api: VonageApi;
  calls: VonageCalls;
  signatureSecret: string;
}
