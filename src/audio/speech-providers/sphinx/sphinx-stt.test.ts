import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { findFliteProgram } from "#src/audio/speech-providers/flite/flite.ts";
import type { SpeechEvent, SpeechStream } from "#src/audio/stt/stt.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { readExpectedAnswer } from "./expected-answer.ts";
import { createGrammar } from "./grammar.ts";
import { createSphinxStt } from "./sphinx-stt.ts";
import { findSphinx, type Sphinx } from "./sphinx.ts";

const searchPath = process.env["PATH"] ?? "";
const installed = await findSphinx({ searchPath });
const flite = await findFliteProgram({ searchPath });
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sphinx-"));
  // Other programs may have files in the machine's temporary folder too.
  vi.stubEnv("TMPDIR", folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const SOUND = Int16Array.from({ length: 4_000 }, (_, i) => 5_000 * Math.sin(i / 5));
/** Finds the value of an option of the command line: the file to write to. */
const FIND_HYP = 'while [ "$1" != "-hyp" ]; do shift; done';

/** Installs a program that answers the trial at the start, and then runs the given script. */
async function install(act: string, timeoutMs = 20_000): Promise<Sphinx | null> {
  const model = join(folder, "share", "pocketsphinx", "model", "en-us");
  await mkdir(join(model, "en-us"), { recursive: true });
  await mkdir(join(folder, "bin"));
  await writeFile(join(model, "en-us", "mdef"), "");
  await writeFile(join(model, "cmudict-en-us.dict"), "no N OW\nthe DH AH\nthe(2) DH IY\nyes Y EH S\n");
  const program = join(folder, "bin", "pocketsphinx_batch");
  const once = `if [ ! -e "${folder}/tried" ]; then : > "${folder}/tried"; exit 0; fi`;
  await writeFile(program, `#!/bin/sh\n${once}\n${act}\n`);
  await chmod(program, 0o755);
  return await findSphinx({ searchPath: join(folder, "bin"), timeoutMs });
}

type Schema = Record<string, unknown>;

function open(sphinx: Sphinx, expected: Schema | null, more: { language?: string; isLast?: boolean } = {}) {
  const events: SpeechEvent[] = [];
  const lines: string[] = [];
  const onEvent = (event: SpeechEvent) => void events.push(event);
  const log = createLog("debug", (line) => void lines.push(line));
  const options = { language: "en-US", hints: [], expected, onEvent, ...more };
  return { stream: createSphinxStt(sphinx, log).open(options), events, lines };
}

/** A sphinx that keeps the grammars of its requests. */
function listener() {
  const grammars: string[] = [];
  const sphinx: Sphinx = {
    isKnown: () => true,
    hear: async (_samples, { jsgf }) => (grammars.push(jsgf), "yes"),
  };
  return { sphinx, grammars };
}

async function say(stream: SpeechStream, events: SpeechEvent[]): Promise<void> {
  const { length } = events;
  stream.write(SOUND);
  stream.flush();
  await expect.poll(() => events.length).toBe(length + 1);
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
  ])("one that %s ends the stream as FAILED and leaves no file", async (name, act) => {
    const before = await foldersLeft();
    // A busy machine takes a while to start a program at all.
    const sphinx = await install(act, name === "hangs" ? 3_000 : undefined);
    const { stream, events } = open(sphinx as Sphinx, { type: "boolean" });
    stream.write(SOUND);
    stream.flush();
    await expect.poll(() => events).toMatchObject([{ kind: "FAILED", code: "UNAVAILABLE" }]);
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

  test("another language is UNSUPPORTED, and so is free text that another recogniser would hear", async () => {
    const sphinx = (await install("exit 1")) as Sphinx;
    const [german, text] = [
      open(sphinx, null, { language: "de" }),
      open(sphinx, { type: "string" }, { isLast: false }),
    ];
    for (const one of [german, text]) {
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

describe("what is listened for", () => {
  test("greetings until there is a question, then its answers, and corrections of the one before", async () => {
    const { sphinx, grammars } = listener();
    const { stream, events } = open(sphinx, null);
    await say(stream, events);
    stream.expect?.({ type: "boolean" });
    await say(stream, events);
    stream.expect?.({ type: "integer" });
    stream.expect?.({ type: "integer" });
    await say(stream, events);
    stream.expect?.(null);
    await say(stream, events);
    const [greeting, first, second, last] = grammars.map((jsgf) => jsgf.split("\n")[2] ?? "");
    expect(greeting).toMatch(/<yes_no>.*hello.*wrong number/);
    expect(first).toBe(greeting);
    expect(second).toMatch(/\(<number>\).*\(i meant .*\(<number> \| <yes_no>\)/);
    expect(last).toMatch(/^(?!.*\(<number>\)).*\(<yes_no>\).*\(i meant .*<number>.*hello/);
  });

  test("a question for free text is heard as at the start by the last recogniser, and the log tells so once", async () => {
    const { sphinx, grammars } = listener();
    const { stream, events, lines } = open(sphinx, { type: "string" });
    await say(stream, events);
    stream.expect?.({ type: "string", description: "another" });
    await say(stream, events);
    expect(events).toEqual([1, 2].map(() => ({ kind: "FINAL", text: "yes", confidence: null })));
    expect(new Set(grammars).size).toBe(1);
    expect(lines).toEqual([expect.stringContaining("cannot hear free text")]);
  });

  test("where another recogniser follows, it takes over at the question that has no grammar", async () => {
    const { sphinx } = listener();
    const { stream, events, lines } = open(sphinx, null, { isLast: false });
    await say(stream, events);
    stream.expect?.({ type: "string" });
    stream.write(SOUND);
    stream.flush();
    expect(events.slice(1)).toMatchObject([{ kind: "FAILED", code: "UNSUPPORTED" }]);
    expect(lines).toEqual([]);
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
  [{ type: "string", format: "date-time" }, "tomorrow at three thirty p m"],
];
/** Phrases recognised before any question, and during one. */
const UNASKED = ["hello", "yes", "no", "who is this", "wrong number", "stop calling me", "goodbye", "good morning"];

describe.skipIf(missing !== "")(`flite on the telephone, heard by pocketsphinx${why}`, () => {
  test.each([{ type: "integer" }, { type: "boolean" }, CHOICES, null])(
    "%j: other speech is no answer",
    async (asked) => {
      const spoken = await flite?.say("i would have to ask my wife about that", "rms");
      const { stream, events } = open(installed as Sphinx, asked);
      stream.write(decodeMuLaw(encodeMuLaw(spoken ?? new Int16Array(0))));
      stream.flush();
      await expect.poll(() => events).toEqual([{ kind: "FINAL", text: "", confidence: null }]);
    },
  );

  test("every word of the grammars is in its dictionary", () => {
    const anyOf = ["boolean", "integer"].map((type) => ({ type }) as object);
    anyOf.push(...["date-time", "digits"].map((format) => ({ type: "string", format })));
    const words = [readExpectedAnswer({ anyOf }), null].flatMap(
      (expected) => createGrammar({ expected, before: null, isKnown: () => true })?.words ?? [],
    );
    expect(words).toEqual(expect.arrayContaining(["zero", "nope", "thirtieth", "midnight", "double", "busy"]));
    expect(words.filter((word) => !installed?.isKnown(word))).toEqual([]);
  });

  test.each([...SAID, ...UNASKED.map((text) => [null, text] as const)])("%j: %s", async (expected, text) => {
    const spoken = (await flite?.say(text, "rms")) ?? new Int16Array(0);
    const { stream, events } = open(installed as Sphinx, expected);
    stream.write(new Int16Array(8_000));
    stream.write(decodeMuLaw(encodeMuLaw(spoken)));
    stream.write(new Int16Array(4_000));
    stream.flush();
    await expect.poll(() => events).toEqual([{ kind: "FINAL", text, confidence: null }]);
  });
});
