import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MediaHost } from "#src/audio/worker/media-host.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { describeVad } from "./describe-vad.ts";
import { loadSilero } from "./load-silero.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-silero-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const VOICES = { language: "en", vad: "ENERGY", hasStt: false, endpointingMs: 500, bargeInMs: 300 } as const;

/** Puts a fake package beside the model, in place of ONNX Runtime. */
async function writeRuntime(create: string): Promise<string> {
  const model = join(folder, "silero_vad.onnx");
  const text = `exports.Tensor = class { constructor(type, data) { this.data = data; } };
    exports.InferenceSession = { create: async () => { ${create} } };`;
  await writeFile(model, "model");
  const place = join(folder, "node_modules", "onnxruntime-node");
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "index.js"), text);
  return model;
}

/** A session that finds speech everywhere. */
const WORKS = `return {
  inputNames: ["input", "state", "sr"], outputNames: ["output", "stateN"],
  run: async ({ input, state }) => ({
    output: { data: new Float32Array(input.data.length / 288).fill(0.9) },
    stateN: { data: state.data.slice() },
  }),
};`;

test("without a setting the doctor says energy, and with one what the model is", async () => {
  expect(await describeVad(null, null)).toBe("energy; SPEECH_VAD_MODEL adds Silero");
  const model = await writeRuntime(WORKS);
  expect(await describeVad(model, null)).toBe(`Silero, ${model}`);
});

test("the doctor says that a model that works was given up, and why", async () => {
  await expect(describeVad(await writeRuntime(WORKS), "It stalled.")).rejects.toThrow(
    "Silero was given up, so that speech is told by energy until the server is started again. It stalled.",
  );
});

test("a missing file and a missing package are told with the command that gets them", async () => {
  const model = join(folder, "a folder", "silero_vad.onnx");
  await expect(describeVad(model, null)).rejects.toThrow(`curl --create-dirs -Lo '${model}' https://`);
  const alone = join(folder, "silero_vad.onnx");
  await writeFile(alone, "model");
  await expect(loadSilero(alone)).rejects.toThrow(
    `ONNXRUNTIME_NODE_INSTALL=skip npm install --prefix ${folder} onnxruntime-node`,
  );
});

test.each([
  ["cannot be read by the runtime", `throw new Error("Protobuf parsing failed.");`, "Protobuf parsing failed."],
  ["is another model", `return { inputNames: ["audio"], outputNames: ["text"] };`, "This is no Silero VAD"],
  ["gives something else", WORKS.replace("/ 288", "/ 144"), 'no 2 numbers as "output"'],
])("a model that %s is refused when it is opened", async (_title, create, message) => {
  const model = await writeRuntime(create);
  await expect(loadSilero(model)).rejects.toThrow(`The model ${model} cannot be used.`);
  await expect(loadSilero(model)).rejects.toThrow(message);
});

/** A call without audio, and its events: only the model can detect speech in it. */
function openCall(host: MediaHost): { events: string[]; speech: Promise<void>; close(): Promise<void> } {
  const { port1, port2 } = new MessageChannel();
  const [speech, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const events: string[] = [];
  const source = { kind: "PORT", port: port1 } as const;
  const call = host.open({ source, ...VOICES, recording: null, carrierVerdict: null }, ({ kind }) => {
    events.push(kind);
    if (kind === "SPEECH_STARTED") speech.resolve();
    if (kind === "ENDED") ended.resolve();
  });
  const close = async () => {
    call.close();
    await ended.promise;
    port2.close();
  };
  return { events, speech: speech.promise, close };
}

test("calls of the media thread are heard with the model", async () => {
  const host = new MediaHost({ log: createLog("silent"), vadModel: await writeRuntime(WORKS) });
  const calls = [openCall(host), openCall(host)];
  await Promise.all(calls.map(({ speech }) => speech));
  await Promise.all(calls.map((call) => call.close()));
  expect(host.vadFault).toBeNull();
  await host.close();
});

test("a media thread without its model goes on with energy and logs it once", async () => {
  const lines: string[] = [];
  const logged = Promise.withResolvers<void>();
  const log = createLog("warn", (line) => {
    lines.push(line);
    logged.resolve();
  });
  const host = new MediaHost({ log, vadModel: join(folder, "none.onnx") });
  const [first, second] = [openCall(host), openCall(host)];
  await logged.promise;
  await first.close();
  await second.close();
  expect(lines.length).toBe(1);
  expect(lines[0]).toContain("Silero is not used: voices are told by energy.");
  expect(host.vadFault).toContain("cannot be read");
  expect([...first.events, ...second.events]).not.toContain("CLOSED");
  await host.close();
});

test("a model whose process dies in the middle of calls takes none of them with it", async () => {
  // It works for the two windows of its trial, and then no more.
  const dies = WORKS.replace(
    "run: async ({ input, state }) =>",
    "run: async ({ input, state }) => input.data.length === 288 ? process.exit(1) :",
  );
  const host = new MediaHost({ log: createLog("silent"), vadModel: await writeRuntime(dies) });
  const call = openCall(host);
  while (host.vadFault === null) await new Promise((resolve) => setImmediate(resolve));
  expect(host.vadFault).toBe("The model's process ended (exit code 1).");
  await call.close();
  expect(call.events).not.toContain("CLOSED");
  await host.close();
});
