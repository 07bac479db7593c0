import type { FakeCarrier } from "./fake-carrier.ts";
import { TelnyxServer } from "./telnyx-server.ts";
import { TwilioServer } from "./twilio-server.ts";
import { VonageServer } from "./vonage-server.ts";

/** Each carrier that calls over HTTP, with the server that stands for it. */
export const EVERY_CARRIER: [provider: string, start: () => Promise<FakeCarrier>][] = [
  ["TWILIO", () => TwilioServer.start()],
  ["TELNYX", () => TelnyxServer.start()],
  ["VONAGE", () => VonageServer.start()],
];
