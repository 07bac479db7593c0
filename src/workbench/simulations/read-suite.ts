import { Cursor, FaultList } from "./cursor.ts";
import { isMapping } from "./mapping.ts";
import type { PersonaChoice } from "./persona-choice.ts";
import { type ReadFile, readOwnPersona } from "./persona-reader.ts";
import { DEFAULT_TERMS, readScenario, readTerms, SHARED_KEYS } from "./scenario-reader.ts";
import { plainSource, readSource } from "./source.ts";
import { SuiteFault } from "./suite-fault.ts";
import type { FlowChoice, Scenario, Suite } from "./suite.ts";

const KEYS = ["suite", "flow", "mode", "model", "now", "personas", "scenarios", ...SHARED_KEYS];
const MAX_SCENARIOS = 200;
const MAX_CONVERSATIONS = 20_000;
/** The default time, a Monday morning: results of a suite do not depend on the day on which it runs. */
const DEFAULT_NOW = "2026-01-05T09:00:00.000Z";

/**
 * Reads a suite from YAML text or plain data. `where` is its name in messages; without `readFile` a suite may name no
 * files. Throws `SuiteFault` with all faults.
 */
export function readSuite(input: unknown, where: string, readFile?: ReadFile): Suite {
  const source = typeof input === "string" ? readSource(input, where) : plainSource(input);
  const faults = new FaultList(source, where);
  const top = new Cursor(source.value, [], faults);
  const suite = readTop(top, readFile);
  faults.throwIfAny();
  if (!suite) throw new SuiteFault(where, [{ path: "", line: null, column: null, message: "The suite is empty." }]);
  return suite;
}

/**
 * Returns the files that a suite in YAML names: those of its personas and of its flow. Throws `SuiteFault` where it is
 * no YAML.
 */
export function listSuiteFiles(text: string, where: string): string[] {
  const { value } = readSource(text, where);
  if (!isMapping(value)) return [];
  const people = isMapping(value.personas) ? Object.values(value.personas) : [];
  const inPlace = Array.isArray(value.scenarios)
    ? value.scenarios.map((one) => (isMapping(one) ? one.persona : null))
    : [];
  const named = [value.flow, ...people, ...inPlace].flatMap((one) =>
    isMapping(one) && typeof one.file === "string" ? [one.file] : [],
  );
  return [...new Set(named)];
}

function readTop(top: Cursor, readFile: ReadFile | undefined): Suite | undefined {
  if (!top.isMappingOf(KEYS)) {
    return top.isAbsent ? top.fail("The suite is empty.") : undefined;
  }
  const flow = readFlow(top.at("flow"), readFile);
  const people = new Map<string, PersonaChoice>();
  for (const [name, one] of top.at("personas").members("people by name")) {
    const persona = readOwnPersona(one, name, readFile);
    if (persona) people.set(name, persona);
  }
  const terms = readTerms(top, DEFAULT_TERMS);
  const list = top.at("scenarios");
  const cursors = list.items("scenarios", { max: MAX_SCENARIOS });
  if (cursors.length === 0) list.fail("must be a list of at least one scenario.");
  const scenarios = cursors.flatMap((one) => readScenario(one, terms, people, readFile) ?? []);
  const mode = top.at("mode").oneOf(["TEXT", "AUDIO"]) ?? "TEXT";
  checkScenarios(list, scenarios, mode);
  const name = top.at("suite");
  if (name.isAbsent) top.fail("The suite must have a name (suite).");
  const title = name.text(200);
  if (title === undefined || !flow) return undefined;
  return {
    name: title,
    flow,
    channel: terms.channel,
    mode,
    model: top.at("model").text(200) ?? "FLOW",
    seed: terms.seed,
    now: readMoment(top.at("now")) ?? DEFAULT_NOW,
    scenarios,
  };
}

function checkScenarios(list: Cursor, scenarios: Scenario[], mode: "TEXT" | "AUDIO"): void {
  const names = new Set<string>();
  for (const { name } of scenarios) {
    if (names.has(name)) list.fail(`has two scenarios named ${JSON.stringify(name)}.`);
    names.add(name);
  }
  const conversations = scenarios.reduce((sum, { repeat }) => sum + repeat, 0);
  if (conversations > MAX_CONVERSATIONS)
    list.fail(`comes to ${conversations} conversations; the limit is ${MAX_CONVERSATIONS}. Lower repeat.`);
  if (mode === "AUDIO" && scenarios.some(({ channel }) => channel === "CHAT"))
    list.fail("has chats, which have no audio: use mode TEXT, or channel VOICE.");
}

function readFlow(cursor: Cursor, readFile: ReadFile | undefined): FlowChoice | undefined {
  if (cursor.isAbsent) return cursor.fail("must say which flow is tested: its id or apiId.");
  if (typeof cursor.value === "string") {
    const flow = cursor.text(200);
    return flow === undefined ? undefined : { kind: "SAVED", flow, version: null };
  }
  if (!cursor.isMappingOf(["flow", "version", "draft", "file", "document"])) return undefined;
  const ways = ["flow", "draft", "file", "document"].filter((key) => !cursor.at(key).isAbsent);
  if (ways.length !== 1) return cursor.fail("must have one of flow, draft, file or document.");
  const version = cursor.at("version");
  if (!version.isAbsent && ways[0] !== "flow") return version.fail("goes with flow only.");
  const draft = cursor.at("draft").text(200);
  if (draft !== undefined) return { kind: "DRAFT", flow: draft };
  const flow = cursor.at("flow").text(200);
  if (flow !== undefined) return { kind: "SAVED", flow, version: version.integer(1, 1_000_000) ?? null };
  if (ways[0] === "document") return { kind: "DOCUMENT", document: cursor.at("document").value };
  return readFlowFile(cursor.at("file"), readFile);
}

function readFlowFile(cursor: Cursor, readFile: ReadFile | undefined): FlowChoice | undefined {
  const path = cursor.text(1_000);
  if (path === undefined) return undefined;
  const text = readFile?.(path);
  if (text === undefined) return cursor.fail(`names a file that is not there: ${path}`);
  try {
    return { kind: "DOCUMENT", document: JSON.parse(text) as unknown };
  } catch {
    return cursor.fail(`names a file that holds no JSON: ${path}`);
  }
}

function readMoment(cursor: Cursor): string | undefined {
  const text = cursor.text(100);
  if (text === undefined) return undefined;
  // Without a zone it is UTC: the same on each server.
  const at = new Date(/[T ][\d:.]+$/i.test(text) ? `${text}Z` : text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(at.getTime()))
    return cursor.fail("must be a time in ISO 8601, such as 2026-03-02T09:00:00Z.");
  return at.toISOString();
}
