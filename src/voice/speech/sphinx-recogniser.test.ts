import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findFliteProgram } from "#src/media/flite.ts";
import { decodeMuLaw, encodeMuLaw } from "#src/media/mu-law.ts";
import type { SpeechEvent } from "#src/voice/speech-ports.ts";
import { createSphinxRecogniser } from "./sphinx-recogniser.ts";
import { findSphinx, type Sphinx } from "./sphinx.ts";

const searchPath = process.env["PATH"] ?? "";
const installed = await findSphinx({ searchPath });
const flite = await findFliteProgram({ searchPath });
let folder = "";
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "sphinx-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const SOUND = Int16Array.from({ length: 4_000 }, (_, i) => 5_000 * Math.sin(i / 5));
/** Finds the value of an option of the command line: the file to write to. */
const FIND_HYP = 'while [ "$1" != "-hyp" ]; do shift; done';

/** A program that answers the trial at the start, and then does what it is told. */
async function install(act: string): Promise<Sphinx | null> {
  const model = join(folder, "share", "pocketsphinx", "model", "en-us");
  await mkdir(join(model, "en-us"), { recursive: true });
  await mkdir(join(folder, "bin"));
  await writeFile(join(model, "en-us", "mdef"), "");
  await writeFile(join(model, "cmudict-en-us.dict"), "no N OW\nthe DH AH\nthe(2) DH IY\nyes Y EH S\n");
  const program = join(folder, "bin", "pocketsphinx_batch");
  const once = `if [ ! -e "${folder}/tried" ]; then : > "${folder}/tried"; ${FIND_HYP}; echo "(said -1)" > "$2"; exit 0; fi`;
  await writeFile(program, `#!/bin/sh\n${once}\n${act}\n`);
  await chmod(program, 0o755);
  return await findSphinx({ searchPath: join(folder, "bin"), timeoutMs: 1_000 });
}

function open(sphinx: Sphinx, expected: Record<string, unknown> | null, language = "en-US") {
  const events: SpeechEvent[] = [];
  const onEvent = (event: SpeechEvent) => void events.push(event);
  return { stream: createSphinxRecogniser(sphinx).open({ language, hints: [], expected, onEvent }), events };
}

const foldersLeft = async () => (await readdir(tmpdir())).filter((name) => name.startsWith("parley-hearing-"));

describe("with programs that only look like pocketsphinx", () => {
  test("what it heard comes as FINAL, without the words that say nothing", async () => {
    const sphinx = await install(`${FIND_HYP}; echo "uh  yes please (said -4711)" > "$2"`);
    const { stream, events } = open(sphinx as Sphinx, { type: "boolean" });
    stream.write(SOUND);
    stream.flush();
    await expect.poll(() => events).toEqual([{ kind: "FINAL", text: "yes please", confidence: null }]);
  });

  test("silence asks no program", async () => {
    const sphinx = await install("exit 1");
    const { stream, events } = open(sphinx as Sphinx, { type: "boolean" });
    stream.write(new Int16Array(16_000));
    stream.flush();
    await expect.poll(() => events).toEqual([{ kind: "FINAL", text: "", confidence: null }]);
  });

  test.each([
    ["hangs", "exec sleep 30"],
    ["fails", "exit 3"],
    ["writes nothing", "exit 0"],
  ])("one that %s ends the stream as FAILED and leaves no file", async (_name, act) => {
    const before = await foldersLeft();
    const sphinx = await install(act);
    const { stream, events } = open(sphinx as Sphinx, { type: "boolean" });
    stream.write(SOUND);
    stream.flush();
    await expect.poll(() => events, { timeout: 5_000 }).toMatchObject([{ kind: "FAILED", code: "UNAVAILABLE" }]);
    await expect.poll(foldersLeft).toEqual(before);
  });

  test("hanging up kills the program", async () => {
    const sphinx = await install(`echo $$ > "${folder}/pid"; exec sleep 30`);
    const { stream, events } = open(sphinx as Sphinx, { type: "boolean" });
    const before = await foldersLeft();
    stream.write(SOUND);
    stream.flush();
    await expect.poll(async () => (await readdir(folder)).includes("pid")).toBe(true);
    stream.close();
    await expect.poll(foldersLeft).toEqual(before);
    expect(events).toEqual([]);
  });

  test("free text, no expectation and other languages are UNSUPPORTED", async () => {
    const sphinx = (await install("exit 1")) as Sphinx;
    for (const one of [open(sphinx, { type: "string" }), open(sphinx, null), open(sphinx, { type: "boolean" }, "de")]) {
      await expect.poll(() => one.events).toMatchObject([{ kind: "FAILED", code: "UNSUPPORTED" }]);
    }
  });

  test("without the program, its model or a library it needs, it is not found", async () => {
    expect(await findSphinx({ searchPath: "" })).toBeNull();
    expect(await findSphinx({ searchPath: folder })).toBeNull();
    await mkdir(join(folder, "bin"));
    await writeFile(join(folder, "bin", "pocketsphinx_batch"), "#!/bin/sh\nexit 127\n", { mode: 0o755 });
    expect(await findSphinx({ searchPath: join(folder, "bin") })).toBeNull();
  });
});

const missing = [installed ? [] : "pocketsphinx", flite ? [] : "flite"].flat().join(" and ");
const why = missing ? ` (skipped: ${missing} not found)` : "";
const DATE = { type: "string", format: "date" };
const CHOICES = { enum: ["CALL_ME_LATER", "not interested", "2 bedrooms", "sales"] };
const SAID: [Record<string, unknown>, string][] = [
  [{ type: "boolean" }, "yes"],
  [{ type: "boolean" }, "no"],
  [{ type: "boolean" }, "yes please"],
  [{ type: "string", pattern: "^\\d{5}$" }, "four two oh nine one"],
  [{ type: "string", pattern: "^\\d{5}$" }, "double three seven one five"],
  [{ type: "integer" }, "seven"],
  [{ type: "integer" }, "twenty three"],
  [{ type: "integer" }, "one hundred and five"],
  [{ type: "integer" }, "two thousand four hundred"],
  [DATE, "tomorrow"],
  [DATE, "next friday"],
  [DATE, "the third of march"],
  [DATE, "on monday the twenty first of june"],
  [DATE, "december fifth two thousand twenty six"],
  [{ type: "string", format: "time" }, "at three thirty p m"],
  [{ type: "string", format: "time" }, "half past nine"],
  [CHOICES, "call me later"],
  [CHOICES, "not interested please"],
  [CHOICES, "two bedrooms"],
  [CHOICES, "sales"],
];

describe.skipIf(missing !== "")(`flite on the telephone, heard by pocketsphinx${why}`, () => {
  test.each(SAID)("%j: %s", async (expected, text) => {
    const spoken = (await flite?.say(text, "rms")) ?? new Int16Array(0);
    const { stream, events } = open(installed as Sphinx, expected);
    stream.write(new Int16Array(8_000));
    stream.write(decodeMuLaw(encodeMuLaw(spoken)));
    stream.write(new Int16Array(4_000));
    stream.flush();
    await expect.poll(() => events, { timeout: 5_000 }).toEqual([{ kind: "FINAL", text, confidence: null }]);
  });
});
