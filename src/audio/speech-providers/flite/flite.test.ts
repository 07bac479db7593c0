import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { createFliteEngine, findFliteProgram } from "./flite.ts";

const lines: string[] = [];
const log = createLog("warn", (line) => lines.push(line));
const find = async (options: Parameters<typeof findFliteProgram>[0]) => {
  const program = await findFliteProgram(options);
  return program && createFliteEngine(program, log);
};
const installed = await find({ searchPath: process.env["PATH"] ?? "" });

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-flite-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function installFake(script: string): Promise<void> {
  await writeFile(
    join(folder, "flite"),
    `#!/bin/sh\nif [ "$1" = -lv ]; then echo "Voices available: rms slt"; exit; fi\n${script}\n`,
  );
  await chmod(join(folder, "flite"), 0o755);
}

function rms(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

describe("flite", () => {
  test("is null where it is not installed or lacks the voices", async () => {
    expect(await find({ searchPath: "" })).toBeNull();
    expect(await find({ searchPath: folder })).toBeNull();
    await installFake("exit 0");
    await writeFile(join(folder, "flite"), "#!/bin/sh\necho 'Voices available: kal'\n");
    expect(await find({ searchPath: folder })).toBeNull();
  });

  test.each([
    ["fails", "exit 3"],
    ["writes no sound", "exit 0"],
    ["writes something else", 'printf "no sound" > "$6"'],
    ["hangs", "exec sleep 60"],
  ])("falls back to tones and warns when the program %s", async (title, script) => {
    await installFake(script);
    // A busy machine takes a while to start a program at all.
    const engine = await find({ searchPath: folder, timeoutMs: title === "hangs" ? 3_000 : 20_000 });
    lines.length = 0;
    const samples = await engine?.speak("Hello there", "USER");
    expect(decodeToneSpeech(samples as Int16Array)).toEqual(["Hello there"]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain("Hello");
  });

  test("hands the text over in a file, never to a shell or in an argument", async () => {
    await installFake(`echo "$*" > ${join(folder, "arguments")}; cat "$4" > ${join(folder, "heard")}; exit 1`);
    const engine = await find({ searchPath: folder });
    await engine?.speak("-voice $(touch x); `id` “Größe”", "ASSISTANT");
    expect(await readFile(join(folder, "heard"), "utf8")).toMatch(/^-voice \$\(touch x\); `id` +Grosse/);
    const seen = await readFile(join(folder, "arguments"), "utf8");
    expect(seen).toMatch(/^-voice slt -f \S+ -o \S+\n$/);
  });

  test.skipIf(!installed)("speaks at 8 kHz in two voices (skipped: flite is not installed)", async () => {
    const agent = await installed?.speak("Hello, how are you today?", "ASSISTANT");
    const customer = await installed?.speak("Hello, how are you today?", "USER");
    for (const samples of [agent, customer]) {
      expect(rms(samples as Int16Array)).toBeGreaterThan(300);
      // Some twelve letters a second, so this phrase lasts between one and four seconds.
      expect((samples as Int16Array).length).toBeGreaterThan(8_000);
      expect((samples as Int16Array).length).toBeLessThan(32_000);
    }
    expect(agent).not.toEqual(customer);
  });

  test.skipIf(!installed)("says another script in tones (skipped: flite is not installed)", async () => {
    const samples = await installed?.speak("はい、お願いします", "USER");
    expect(decodeToneSpeech(samples as Int16Array)).toEqual(["はい、お願いします"]);
  });
});
