import { MessageChannel } from "node:worker_threads";
import { expect, test } from "vitest";
import { createLog } from "#src/platform/kernel/log.ts";
import { MediaHost } from "./media-host.ts";
import type { CallMediaEvent } from "./messages.ts";

const RULES = { language: "en", vad: "ENERGY", hasStt: false, endpointingMs: 500, bargeInMs: 300 } as const;

test("a carrier's word on who answered counts, though it comes after the audio was opened", async () => {
  const host = new MediaHost({ log: createLog("error") });
  const { port1, port2 } = new MessageChannel();
  const found = Promise.withResolvers<CallMediaEvent>();
  const source = { kind: "PORT", port: port2 } as const;
  const call = host.open({ source, ...RULES, recording: null, carrierVerdict: null }, (events) => {
    if (events.kind === "ANSWER") found.resolve(events);
  });
  call.takeVerdict("MACHINE_VOICEMAIL");
  expect(await found.promise).toMatchObject({ event: { answeredBy: "MACHINE_VOICEMAIL", reason: "CARRIER" } });
  port1.close();
  await host.close();
});
