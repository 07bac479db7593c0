import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { wavHeader } from "#src/audio/codec/wav.ts";
import { openFlite } from "./render.ts";
import { RATE_HZ } from "./sounds.ts";
import { makeCorpus } from "./table.ts";

/** `node tests/kit/voice-corpus/make.ts FOLDER`: writes the recordings as WAV files, with labels.json beside them. */
const folder = process.argv[2];
const speak = await openFlite();
if (!folder || !speak) {
  console.error(folder ? "flite is not installed." : "Usage: node tests/kit/voice-corpus/make.ts FOLDER");
  process.exit(1);
}
await mkdir(folder, { recursive: true });
const labels = [];
for (const { plan, samples, words, beepEndMs, agent } of await makeCorpus(speak)) {
  const file = `${plan.label.about.toLowerCase()}-${plan.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.wav`;
  const header = wavHeader({ channels: 1, sampleRateHz: RATE_HZ, dataBytes: samples.byteLength });
  await writeFile(join(folder, file), Buffer.concat([header, Buffer.from(samples.buffer)]));
  const { name, language, label } = plan;
  labels.push({
    file,
    name,
    language,
    label,
    words,
    beepEndMs,
    agent: agent && { atMs: agent.atMs, echo: agent.echo },
  });
}
await writeFile(join(folder, "labels.json"), `${JSON.stringify(labels, null, 2)}\n`);
console.log(`${labels.length} recordings in ${folder}`);
