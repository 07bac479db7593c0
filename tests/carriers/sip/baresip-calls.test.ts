import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { decodeToneSpeech, encodeToneSpeech, TONE_RATE_HZ } from "#src/audio/tones/tone-speech.ts";
import { MediaHost } from "#src/audio/worker/media-host.ts";
import type { CallMediaEvent } from "#src/audio/worker/messages.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import type { SipTrunkSettings } from "#src/telephony/carriers/sip/trunk.ts";
import { type Baresip, startBaresip } from "../../kit/sip/baresip.ts";
import { createDial, hasProgram, SipTrunkManager } from "../../kit/sip/sip-harness.ts";
import { wavOf } from "../../kit/tone-recordings.ts";

const isMissing = !hasProgram("baresip") || !hasProgram("openssl");
if (isMissing) console.log("SKIPPED: baresip is not installed (Debian: apt-get install baresip).");
const signal = new AbortController().signal;
const THEIRS = "What baresip plays is heard.";
const OURS = "Our agent talks, and baresip records it.";
const RULES = { language: "en", vad: "LOUD", hasStt: false, endpointingMs: 500, bargeInMs: 60_000 } as const;

let host: MediaHost | undefined;
let harness: SipTrunkManager | undefined;
let far: Baresip | undefined;
afterEach(async () => {
  await harness?.close();
  await far?.close();
  await host?.close();
  host = harness = far = undefined;
});

/**
 * The sentence some times over, with silence around it, because the first packets find the way. Tone speech is lost
 * whole with any of its packets, and a busy machine makes baresip skip one in about every twentieth sentence.
 */
function repeated(text: string, times: number): Int16Array {
  const said = encodeToneSpeech(text);
  const stepLength = said.length + TONE_RATE_HZ;
  const samples = new Int16Array(times * stepLength + 2 * TONE_RATE_HZ);
  for (let i = 0; i < times; i++) samples.set(said, TONE_RATE_HZ + i * stepLength);
  return samples;
}

/** The different sentences that arrived whole. */
function sentencesOf(samples: Int16Array): string[] {
  return [...new Set(decodeToneSpeech(samples))];
}

/** A certificate of this machine's address, which vouches for itself. */
function createCertificate(): { pem: string; ca: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "parley-tls-"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
  const names = ["-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", [...args, ...names, "-keyout", key, "-out", certificate], { stdio: "ignore" });
  const ca = readFileSync(certificate);
  return { pem: `${ca.toString()}\n${readFileSync(key, "latin1")}`, ca };
}

async function dialogue(
  settings: Partial<SipTrunkSettings>,
  options: { account?: string; pem?: string; ca?: Buffer } = {},
) {
  const { account = "", pem, ca = null } = options;
  far = await startBaresip({
    user: "+12025550100",
    wav: wavOf(repeated(THEIRS, 10)),
    account,
    ...(pem ? { pem } : {}),
  });
  host = new MediaHost({ log: createLog("error") });
  harness = new SipTrunkManager(host, ca);
  const port = settings.transport === "TLS" ? far.port + 1 : far.port;
  const carrier = await harness.open({ ...settings, port });
  const dial = createDial();
  expect(await carrier.dial(dial, signal)).toMatchObject({ kind: "ACCEPTED" });
  const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
  const source = carrier.openMedia(providerCallId);
  if (!source) throw new Error("The call has no audio.");
  const heard: number[] = [];
  const said = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const call = host.open({ source, ...RULES, recording: null, carrierVerdict: "HUMAN" }, (event: CallMediaEvent) => {
    if (event.kind === "AUDIO") heard.push(...event.samples);
    if (event.kind === "PLAYED") said.resolve();
    if (event.kind === "ENDED") ended.resolve();
  });
  call.begin(1);
  call.add(1, repeated(OURS, 2));
  call.complete(1);
  await said.promise;
  await harness.until(() => heard.length > 0 && sentencesOf(Int16Array.from(heard)).length > 0);
  await carrier.hangUp(providerCallId);
  call.close();
  await ended.promise;
  expect(await harness.event(dial.attemptId, "ENDED")).toMatchObject({ outcome: "ANSWERED", hungUpBy: "AGENT" });
  await new Promise((resolve) => setTimeout(resolve, 300));
  return { source, heard: sentencesOf(Int16Array.from(heard)), recorded: sentencesOf(await far.readHeard()) };
}

test.skipIf(isMissing)(
  "both sides of a call hear every word of each other",
  async () => {
    const { heard, recorded } = await dialogue({});
    expect(heard).toEqual([THEIRS]);
    expect(recorded).toEqual([OURS]);
  },
  60_000,
);

test.skipIf(isMissing)(
  "over TLS, with a certificate that is checked, and with SRTP both hear every word",
  async () => {
    const { pem, ca } = createCertificate();
    const parts = { pem, ca, account: ";mediaenc=srtp-mand;transport=tls" };
    const { source, heard, recorded } = await dialogue({ transport: "TLS", srtp: "REQUIRED" }, parts);
    expect(source).toMatchObject({ kind: "RTP", srtp: { theirs: { suite: "AES_CM_128_HMAC_SHA1_80" } } });
    expect(heard).toEqual([THEIRS]);
    expect(recorded).toEqual([OURS]);
  },
  60_000,
);

test.skipIf(isMissing)(
  "a certificate that nobody vouches for is refused, and nothing is sent",
  async () => {
    const { pem } = createCertificate();
    far = await startBaresip({ user: "+12025550100", wav: wavOf(repeated(THEIRS, 1)), pem });
    harness = new SipTrunkManager();
    const carrier = await harness.open({ port: far.port + 1, transport: "TLS" });
    const result = await carrier.dial(createDial(), signal);
    expect(result).toMatchObject({ kind: "REFUSED", then: "REQUEUE", code: "SIP_UNREACHED" });
    expect(result).toHaveProperty("message", expect.stringContaining("self-signed certificate"));
  },
  60_000,
);
