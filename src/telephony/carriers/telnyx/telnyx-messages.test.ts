import { expect, test } from "vitest";
import { toInboundMessage } from "./telnyx-messages.ts";

const WRITTEN = {
  id: "7ee4241c-f127-47e5-9c34-3aac291f8058",
  direction: "inbound",
  type: "SMS",
  from: { phone_number: "+18665550001" },
  to: [{ phone_number: "+18445550001" }],
  text: "basta",
};

// Telnyx's page Advanced Opt-In/Out shows STOP; older pages show opt_out.
test.each([
  ["STOP", "STOP"],
  ["OPT_OUT", "STOP"],
  ["opt_out", "STOP"],
  ["START", "START"],
  ["OPT_IN", "START"],
  ["HELP", "HELP"],
  ["CUSTOM", "basta"],
  [null, "basta"],
  [undefined, "basta"],
])("a message that Telnyx has handled as %j counts as %s", (autoresponse_type, text) => {
  expect(toInboundMessage({ ...WRITTEN, autoresponse_type })?.text).toBe(text);
});
