import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HostedCall, MediaHost } from "#src/audio/worker/media-host.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { makeReply } from "./sounds.ts";

/**
 * The service's own media thread with its full work per call: RTP both ways with a jitter buffer, VAD and turns, AMD,
 * two channels recorded to disk, and events to the API thread, which answers every turn with a canned reply. Prints the
 * ports of its calls.
 *
 *     node parley-server.ts CALLS [blocked-ms-per-second]
 */
const HOST = "127.0.0.1";
const [calls, blockedMs] = process.argv.slice(2).map(Number);
const reply = makeReply();
const folder = mkdtempSync(join(tmpdir(), "parley-media-"));
const host = new MediaHost({ log: createLog("error"), maxCalls: Number.MAX_SAFE_INTEGER });

async function openCall(index: number): Promise<number> {
  const { socketId, port } = await host.openSocket(HOST);
  // Port 0: the far end is learnt from its first packet.
  const target = { remote: { host: HOST, port: 0 }, codec: "PCMU", payloadType: 0, eventPayloadType: 101 } as const;
  const source = { kind: "RTP", socketId, ...target, srtp: null } as const;
  const rules = { language: "en", vad: "ENERGY", hasStt: false, endpointingMs: 500, bargeInMs: 300 } as const;
  const recording = { path: join(folder, `${index}.wav`), key: null };
  let utterance = 0;
  const call: HostedCall = host.open({ source, ...rules, recording, carrierVerdict: null }, (event) => {
    if (event.kind === "TURN") answer(call, ++utterance);
  });
  return port;
}

function answer(call: HostedCall, utterance: number): void {
  call.begin(utterance);
  call.add(utterance, reply);
  call.complete(utterance);
}

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

async function end(): Promise<void> {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}

// The media host alone does not keep the process alive.
setInterval(() => block(blockedMs ?? 0), 1_000);
const ports: number[] = [];
for (let i = 0; i < (calls ?? 1); i++) ports.push(await openCall(i));
process.once("SIGTERM", () => void end());
process.stdout.write(`${JSON.stringify(ports)}\n`);
