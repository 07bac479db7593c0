import { readFile } from "node:fs/promises";
import { answerWork } from "#src/platform/kernel/off-thread-work.ts";
import { hearWav } from "./tone-listener.ts";

await answerWork(async (input: { path: string } | { bytes: Uint8Array }) =>
  hearWav("path" in input ? await readFile(input.path) : input.bytes),
);
