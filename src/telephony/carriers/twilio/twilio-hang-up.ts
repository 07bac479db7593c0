import { sleep } from "#src/platform/kernel/async.ts";
import type { TwilioAccount } from "./twilio-account.ts";
import { TWILIO_NAME } from "./twilio-errors.ts";

const HANG_UP_WAITS_MS = [0, 500, 2_000];
const HANG_UP_TIMEOUT_MS = 10_000;

/** Ends a call, whether it rings or talks; one that has ended is fine. A lost request is made again. */
export async function endCall({ api, links, parts }: TwilioAccount, providerCallId: string): Promise<void> {
  links.noteHangUp(providerCallId);
  const path = `/Calls/${encodeURIComponent(providerCallId)}.json`;
  const fields = [["Status", "completed"]] as const;
  for (const waitMs of HANG_UP_WAITS_MS) {
    await sleep(waitMs);
    const signal = AbortSignal.timeout(HANG_UP_TIMEOUT_MS);
    const reply = await api.send({ method: "POST", path, fields, signal });
    if (reply.kind === "ANSWER" && reply.status !== 429 && reply.status < 500) return;
  }
  // Its socket is closed, and with it ends the markup that holds the call.
  parts.log.warn(`${TWILIO_NAME} was not reached to end a call.`, { providerCallId });
}
