import { sleep } from "#src/platform/kernel/async.ts";
import type { TwilioAccount } from "./twilio-account.ts";
import { TWILIO_NAME } from "./twilio-errors.ts";

const HANG_UP_WAITS_MS = [0, 500, 2_000];
const HANG_UP_TIMEOUT_MS = 10_000;

/** Ends a call, ringing or answered; one that has ended is ignored. A lost request is sent again. */
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
  // The call ends with its socket, which is closed, because the markup then has nothing more to do.
  parts.log.warn(`${TWILIO_NAME} was not reached to end a call.`, { providerCallId });
}
