import type { ModelMessage } from "#src/engine/models/models.ts";
import { isTimeZone } from "#src/platform/kernel/time-zones.ts";
import type { Lexicon } from "./lexicon-shape.ts";
import { fill } from "./questions.ts";

/** Information that the scripted model takes from its system prompt. */
export interface Briefing {
  /** YYYY-MM-DD, from the line `Date: …`. */
  today: string | undefined;
  /** IANA name of the person's zone, from the line `Time zone: …`. */
  zone: string | undefined;
  /** The flow's name, from the line `Flow: …`. */
  topic: string;
  /** The session's variables, from the line `Known: …`. */
  known: Record<string, unknown>;
  /** Descriptions of the people to whom the call can be transferred, by name, from the line `Transfer targets: …`. */
  transferTargets: Record<string, unknown>;
  /** Beginning of the prompt, where a master prompt may name the company that the agent speaks for. */
  beginning: string;
}

const DATE_LINE = /^\d{4}-\d\d-\d\d$/;

/** Reads the system prompt. The session's own lines come last, so the last of each kind counts. */
export function readBriefing(messages: ModelMessage[]): Briefing {
  const prompt = messages.find((message) => message.role === "SYSTEM")?.content ?? "";
  const today = lastLine(prompt, "Date: ");
  const [zone] = lastLine(prompt, "Time zone: ")?.split(" ") ?? [];
  return {
    today: today !== undefined && DATE_LINE.test(today) ? today : undefined,
    zone: zone !== undefined && isTimeZone(zone) ? zone : undefined,
    topic: (lastLine(prompt, "Flow: ") ?? "").slice(0, 200),
    known: readJson(lastLine(prompt, "Known: ")),
    transferTargets: readJson(lastLine(prompt, "Transfer targets: ")),
    beginning: prompt.slice(0, 1_000),
  };
}

/** Parses a JSON object; empty when there is no text, or it was cut or is not one. */
function readJson(text = ""): Record<string, unknown> {
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function lastLine(prompt: string, start: string): string | undefined {
  const at = prompt.startsWith(start) ? 0 : prompt.lastIndexOf(`\n${start}`) + 1;
  if (at === 0 && !prompt.startsWith(start)) return undefined;
  const end = prompt.indexOf("\n", at);
  return prompt.slice(at + start.length, end === -1 ? undefined : end).trim();
}

/** Returns a sentence that introduces the caller. */
export function introduce(briefing: Briefing, lexicon: Lexicon): string {
  const company = lexicon.company
    .exec(briefing.beginning)?.[1]
    ?.split(/ (?:and|who|y|que|und|et|och) /)[0]
    ?.trim();
  const { selfWithCompany, self } = lexicon.phrases;
  return company === undefined ? self : fill(selfWithCompany, { company });
}

/** Returns a sentence on the purpose of the call; empty when the flow has no name. */
export function nameTopic(briefing: Briefing, lexicon: Lexicon): string {
  return briefing.topic === "" ? "" : fill(lexicon.phrases.topic, { topic: briefing.topic });
}
