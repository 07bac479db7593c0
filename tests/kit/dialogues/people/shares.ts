import { readFileSync } from "node:fs";
import { type HeldPerson, holdPerson } from "./hold-person.ts";
import type { Person } from "./person.ts";

/** Returns the rows of a JSONL file. */
export function readRows<T>(file: URL | string): T[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

/** Shares of all fields of some conversations, in percent, and the number that went round in circles. */
export interface Shares {
  right: number;
  wrong: number;
  needless: number;
  loops: number;
}

/** Holds the conversations with some people, and returns what came of each and the shares of all their fields. */
export async function measurePeople(people: Person[]): Promise<{ held: HeldPerson[]; shares: Shares }> {
  const held = await Promise.all(people.map(holdPerson));
  const sum = (of: (one: HeldPerson) => number): number => held.reduce((all, one) => all + of(one), 0);
  const fields = sum(({ fieldCount }) => fieldCount);
  const shares = {
    right: (100 * sum(({ right }) => right)) / fields,
    wrong: (100 * sum(({ wrong }) => wrong.length)) / fields,
    needless: (100 * sum(({ needless }) => needless.length)) / fields,
    loops: sum(({ isLoop }) => Number(isLoop)),
  };
  return { held, shares };
}

/** A sentence that asks for no more contact, or only looks like one. */
export interface Wish {
  text: string;
  /** BCP 47. */
  language: string;
  kind: "OPT_OUT" | "NOT";
}

/** True when the engine ends a call and lists the number for a sentence; who is asked whether they mean it says it again. */
export async function isListed({ text, language, kind }: Wish): Promise<boolean> {
  const properties = { note: { title: "Note", type: "string" } };
  const held = await holdPerson({
    id: text,
    language,
    zone: "UTC",
    today: "2026-10-06",
    flow: { firstMessage: "Hello.", prompt: "Take a note.", schema: { type: "object", properties } },
    answers: [],
    volunteered: kind === "OPT_OUT" ? [text, text] : [text],
    expected: {},
    expectedOutcome: kind === "OPT_OUT" ? "OPT_OUT" : "COMPLETED",
    notes: "",
  });
  return held.outcome === "OPT_OUT";
}
