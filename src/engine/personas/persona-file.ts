import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import { findRuleFaults } from "./persona-rules.ts";
import { type FileFault, type PersonaFile, PersonaSchema, type WrittenPersona } from "./persona-schema.ts";
import type { PersonaKind } from "./reaction.ts";
import { findShapeFaults } from "./shape-faults.ts";
import { readYaml, YamlFault } from "./yaml-text.ts";

/** Thrown for a persona that cannot be used; the message names every fault. */
export class PersonaFault extends Error {
  readonly faults: FileFault[];

  constructor(faults: FileFault[], message: string) {
    super(message);
    this.name = "PersonaFault";
    this.faults = faults;
  }
}

const MAX_FILE_BYTES = 65_536;
const MAX_FAULTS = 20;

const ANSWERED_BY: Record<PersonaKind, AnsweredBy> = {
  PERSON: "HUMAN",
  VOICEMAIL: "MACHINE_VOICEMAIL",
  VOICEMAIL_FULL: "MACHINE_UNAVAILABLE",
  MENU: "MACHINE_IVR",
  SCREENER: "MACHINE_SCREENING",
  FAX: "FAX",
};

/**
 * Reads a persona from plain data, as in a suite or a request; `where` begins each line of the message. Throws
 * `PersonaFault`.
 */
export function readPersona(value: unknown, where: string): PersonaFile {
  const faults = findFaults(value);
  if (faults.length === 0) return complete(value as WrittenPersona);
  throw new PersonaFault(faults, faults.map((fault) => describe(fault, where)).join("\n"));
}

/** Reads a persona from the text of its YAML file. Throws `PersonaFault`, whose message names file, line and column. */
export function parsePersonaFile(text: string, fileName: string): PersonaFile {
  try {
    const yaml = readYaml(text, fileName, MAX_FILE_BYTES);
    const faults = findFaults(yaml.value);
    if (faults.length === 0) return complete(yaml.value as WrittenPersona);
    const lines = faults.map((fault) => describe(fault, `${fileName}:${yaml.locate(fault.path)}`));
    throw new PersonaFault(faults, lines.join("\n"));
  } catch (error) {
    if (error instanceof YamlFault) throw new PersonaFault([{ path: "", message: error.message }], error.message);
    throw error;
  }
}

function findFaults(value: unknown): FileFault[] {
  const faults = findShapeFaults(PersonaSchema, value);
  return (faults.length > 0 ? faults : findRuleFaults(value as WrittenPersona)).slice(0, MAX_FAULTS);
}

function describe({ path, message }: FileFault, where: string): string {
  return `${where} ${path === "" ? "the persona" : path} ${message}`;
}

function complete(written: WrittenPersona): PersonaFile {
  const { kind = "PERSON", ...given } = written;
  return {
    ...given,
    kind,
    description: given.description ?? "",
    answeredBy: given.answeredBy ?? ANSWERED_BY[kind],
    attitude: given.attitude ?? "AGREES",
    facts: given.facts ?? {},
    phrases: (given.phrases ?? {}) as PersonaFile["phrases"],
    answers: given.answers ?? [],
    behaviours: given.behaviours ?? [],
    pace: given.pace ?? {},
    drivenBy: given.drivenBy ?? "SCRIPT",
  };
}
