import { afterEach, expect, test } from "vitest";
import { decodeToneSpeech, encodeToneSpeech, TONE_RATE_HZ } from "#src/audio/tones/tone-speech.ts";
import { freePort } from "../../kit/free-port.ts";
import { type Baresip, startBaresip } from "../../kit/sip/baresip.ts";
import { hasProgram, HOST } from "../../kit/sip/sip-harness.ts";
import { wavOf } from "../../kit/tone-recordings.ts";
import { World } from "../../kit/world.ts";

/* A call over a SIP trunk through the whole service, with a phone that nobody here made at its other end. */

const isMissing = !hasProgram("baresip");
if (isMissing) console.log("SKIPPED: baresip is not installed (Debian: apt-get install baresip).");
const PERSON = "+14155552671";
const OURS = "+14155559000";
const GREETING = "Hello, this is the test.";
const ALWAYS = {
  windows: [{ days: ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"], start: "00:00", end: "24:00" }],
};
type Body = Record<string, unknown>;

let far: Baresip | undefined;
let world: World | undefined;
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  await far?.close();
  far = world = undefined;
});

/** The words at each of the times, in silence for as long as a call may last: a busy machine loses one of them now and then. */
function speech(text: string, atSeconds: number[]): Int16Array {
  const said = encodeToneSpeech(text);
  const samples = new Int16Array(40 * TONE_RATE_HZ);
  for (const second of atSeconds) samples.set(said, second * TONE_RATE_HZ);
  return samples;
}

async function open(theirs: Int16Array, trunk: Body = {}) {
  const sipPort = await freePort("UDP");
  far = await startBaresip({ user: PERSON, wav: wavOf(theirs) });
  const speechEnv = { SPEECH_TO_TEXT: "TONE", TEXT_TO_SPEECH: "TONE" };
  const env = { ALLOW_PRIVATE_NETWORK: "1", SIP_HOST: HOST, SIP_PORT: String(sipPort), ...speechEnv };
  world = await World.start({ env });
  const live = await world.operator("workspace.create", { name: "Live", mode: "LIVE", sample: true });
  await world.operator("workspace.update", { id: live.workspaceId, countries: ["US"], callingWindow: ALWAYS });
  const key = String(live.apiKey);
  const here = world;
  const ask = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const reply = await here.request(method, path, { key, ...(body === undefined ? {} : { body }) });
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  };
  const sipTrunk = { host: HOST, port: far.port, srtp: "OFF", ...trunk };
  const number = await ask("POST", "/phone-numbers", {
    provider: "BYO_SIP",
    phoneNumber: OURS,
    isDefault: true,
    sipTrunk,
  });
  const until = async (path: string, done: (row: Body) => boolean): Promise<Body> => {
    for (const deadline = performance.now() + 60_000; ;) {
      const row = await ask("GET", path);
      if (done(row)) return row;
      if (performance.now() > deadline) throw new Error(JSON.stringify(row));
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  };
  return { ask, until, number };
}

const linesOf = (row: Body) => (row.transcript as { role: string; content: string }[]) ?? [];

test.skipIf(isMissing)(
  "a person with a SIP phone hears the agent, is heard, and the row tells both",
  { timeout: 120_000 },
  async () => {
    const { ask, until } = await open(speech("I hear you well.", [6, 10, 14]));
    const flow = { name: "Trunk", masterPrompt: "Talk.", firstMessage: GREETING, maxDurationSeconds: 20 };
    const { rowId } = await ask("POST", "/outbound/calls", { customerNumber: PERSON, flow });
    const row = await until(
      `/call-rows/${String(rowId)}`,
      ({ status }) => status === "COMPLETED" || status === "FAILED",
    );
    expect(row, JSON.stringify(row)).toMatchObject({ status: "COMPLETED", outcome: "ANSWERED" });
    expect(linesOf(row).map(({ content }) => content)).toEqual(expect.arrayContaining([GREETING, "I hear you well."]));
    const said = linesOf(row).flatMap(({ role, content }) => (role === "ASSISTANT" ? [content] : []));
    const heard = decodeToneSpeech(await (far as Baresip).readHeard());
    expect(heard.filter((text) => said.some((line) => line.includes(text)))).not.toEqual([]);
    expect((row.recording as Body | null)?.available ?? row.recording).toBeTruthy();
  },
);

test.skipIf(isMissing)(
  "a trunk that nobody answers at is told as such, and nobody is rung later",
  { timeout: 90_000 },
  async () => {
    const { ask, until } = await open(speech("Nothing", [1]), { port: await freePort("UDP"), transport: "TCP" });
    const flow = { name: "Trunk", masterPrompt: "Talk.", firstMessage: GREETING };
    const { rowId } = await ask("POST", "/outbound/calls", { customerNumber: PERSON, flow });
    const row = await until(
      `/call-rows/${String(rowId)}`,
      ({ error, status }) => error !== null && status !== "DIALING",
    );
    expect(JSON.stringify(row.error)).toMatch(/refused|reach|connect/i);
    expect(["QUEUED", "FAILED"]).toContain(row.status);
  },
);
