import { afterEach, expect, test } from "vitest";
import { hear, say, wait } from "./scenario.ts";
import { createDial, hasProgram, SipDesk, type Sipp, startSipp } from "./sip-desk.ts";

const isMissing = !hasProgram("sipp");
if (isMissing) console.log("SKIPPED: sipp is not installed (Debian: apt-get install sip-tester).");
const signal = new AbortController().signal;

let desk: SipDesk;
const started: Sipp[] = [];
afterEach(async () => {
  await desk?.close();
  for (const sipp of started.splice(0)) sipp.kill();
});

async function sipp(...args: Parameters<typeof startSipp>): Promise<Sipp> {
  const run = await startSipp(...args);
  started.push(run);
  return run;
}

test.skipIf(isMissing)("a call is rung, answered and hung up by us", async () => {
  const far = await sipp([
    hear("INVITE", { must: "X-Parley-Attempt: [0-9a-f-]+" }),
    say(100),
    say(180),
    wait(50),
    say(200, { sdp: true, repeats: true }),
    hear("ACK"),
    hear("BYE"),
    say(200, { tag: "" }),
  ]);
  desk = new SipDesk();
  const carrier = await desk.open({ port: far.port });
  const dial = createDial();
  const result = await carrier.dial(dial, signal);
  expect(result).toMatchObject({ kind: "ACCEPTED" });
  const answered = await desk.event(dial.attemptId, "ANSWERED");
  expect(carrier.openMedia(answered.providerCallId)).toMatchObject({ kind: "RTP", codec: "PCMU" });
  await carrier.hangUp(answered.providerCallId);
  expect(await desk.event(dial.attemptId, "ENDED")).toMatchObject({ outcome: "ANSWERED", hungUpBy: "AGENT" });
  const { code, errors, log } = await far.ended;
  expect([code, errors]).toEqual([0, ""]);
  expect(log).toContain(dial.attemptId);
  expect(desk.events.map(({ type }) => type)).toEqual(["RINGING", "ANSWERED", "ENDED"]);
});
