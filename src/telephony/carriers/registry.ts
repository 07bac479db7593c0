import type { CarrierProvider } from "./account.ts";
import { telnyxProvider } from "./telnyx/telnyx-provider.ts";
import { twilioProvider } from "./twilio/twilio-provider.ts";
import { vonageProvider } from "./vonage/vonage-provider.ts";

/** Carriers with which a workspace can have an account. */
export const CARRIER_PROVIDERS: readonly CarrierProvider[] = [twilioProvider, telnyxProvider, vonageProvider];
