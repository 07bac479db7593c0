import { sleep } from "#src/platform/kernel/async.ts";
import { encodePart, type TelnyxApi } from "./telnyx-api.ts";

const TRIES = 3;
const PAUSE_MS = 200;
const TIMEOUT_MS = 10_000;

/** Ends a call; one already gone is ignored. The request is repeated when Telnyx does not answer. */
export async function hangUpCall(api: TelnyxApi, providerCallId: string): Promise<void> {
  const path = `/calls/${encodePart(providerCallId)}/actions/hangup`;
  for (let tried = 1; ; tried++) {
    const reply = await api({ method: "POST", path, body: {}, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const isDone = reply.kind === "ANSWER" && reply.status < 500 && reply.status !== 429;
    if (isDone || tried === TRIES) return;
    await sleep(PAUSE_MS * tried);
  }
}
