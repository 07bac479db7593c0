import type { Heard, Line, Spoken } from "#src/audio/line/line.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { SessionPlan } from "#src/engine/conversation/plan.ts";
import type { SessionPorts } from "#src/engine/conversation/ports.ts";
import { runSession } from "#src/engine/conversation/session.ts";
import type { LanguageModel, TurnRequest } from "#src/engine/models/models.ts";
import { replay } from "#src/engine/models/scripted/replay.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import { instantOf } from "#src/platform/kernel/time-zones.ts";
import { isMereYes, type Person } from "./person.ts";
import { isSameValue } from "./same-value.ts";

/** Result of a conversation with one person. */
export interface HeldPerson {
  lines: string[];
  fields: Record<string, unknown>;
  outcome: string;
  /** Fields whose value is as expected, and all that were expected or filled. */
  right: number;
  fieldCount: number;
  /** Names of fields that are not as expected. */
  faults: string[];
  /** Fields that were stored with a wrong value. */
  wrong: string[];
  /** Questions for what the person had given already; a value that is read back is none. */
  needless: string[];
  /** Values that were read back without need, because the person had given them clearly. */
  readBack: string[];
  isLoop: boolean;
}

const MOST_TURNS = 60;
const GREETINGS: Record<string, string> = { en: "Hello.", de: "Hallo.", es: "Hola.", fr: "Bonjour.", sv: "Hej." };

/** A line on which the person answers the question that is open. */
class AnsweringLine implements Line {
  readonly person: Person;
  readonly needless: string[] = [];
  readonly readBack: string[] = [];
  request: TurnRequest | null = null;
  turns = 0;
  #ms = 0;
  readonly #before: string[];
  readonly #counts = new Map<string, number>();

  constructor(person: Person) {
    this.person = person;
    const greeting = GREETINGS[person.language.slice(0, 2)] ?? "Hello.";
    this.#before = person.volunteered.length > 0 ? [...person.volunteered] : [greeting];
  }

  async say(text: string): Promise<Spoken> {
    const startMs = this.#ms;
    this.#ms += text.length * 50;
    return { heard: text, startMs, endMs: this.#ms, interrupted: false, hungUp: false };
  }

  async listen(): Promise<Heard> {
    const startMs = this.#ms;
    if (++this.turns > MOST_TURNS) return { kind: "HUNG_UP", endMs: startMs };
    const text = this.#before.shift() ?? this.#answer();
    this.#ms += 1_000;
    return { kind: "SPEECH", text, startMs, endMs: this.#ms };
  }

  #answer(): string {
    const asked = this.#askedFor();
    if (asked === null) return "No.";
    const answers = this.person.answers.filter(({ to }) => to === asked);
    const count = this.#counts.get(asked) ?? 0;
    this.#counts.set(asked, count + 1);
    const next = answers[count];
    if (next) return next.say;
    (this.#isReadBack() ? this.readBack : this.needless).push(asked);
    return answers.findLast((answer, n) => !isMereYes(this.person, answer, n))?.say ?? "I told you already.";
  }

  /** Returns the property for which the agent's last turn asked. */
  #askedFor(): string | null {
    const { request } = this;
    if (!request) return null;
    const { items, at, phase } = replay(request.messages, request.outputs, request.language);
    return phase === "ASKING" ? (items[at]?.field.path[0] ?? null) : null;
  }

  #isReadBack(): boolean {
    const { request } = this;
    if (!request) return false;
    const { items, at, unconfirmed } = replay(request.messages, request.outputs, request.language);
    const open = items[at];
    return open !== undefined && unconfirmed.has(open);
  }

  async transfer(): Promise<{ kind: "TRANSFERRED" }> {
    return { kind: "TRANSFERRED" };
  }
  async sendDigits(): Promise<void> {}
  async hangUp(): Promise<void> {}
  elapsedMs(): number {
    return this.#ms;
  }
}

/** Holds the conversation with one person through the real engine and the scripted model. */
export async function holdPerson(person: Person): Promise<HeldPerson> {
  const line = new AnsweringLine(person);
  const scripted = createScriptedModel();
  const model: LanguageModel = {
    ...scripted,
    respond(request) {
      line.request = request;
      return scripted.respond(request);
    },
  };
  const ports: SessionPorts = {
    line,
    model,
    now: () => new Date(instantOf(person.zone, `${person.today}T10:00:00`)),
    validate: validateAgainst,
    answeredBy: "HUMAN",
    onTurn: () => undefined,
    addToDoNotCall: async () => undefined,
  };
  const held = await runSession(planOf(person), ports, new AbortController().signal);
  const end = line.request && replay(line.request.messages, line.request.outputs, line.request.language).end;
  const { value } = held.outputs.talk ?? { value: {} };
  const fields = (value ?? {}) as Record<string, unknown>;
  return {
    lines: held.turns.map(({ role, content }) => `${role}: ${content}`),
    fields,
    outcome: held.endReason === "CUSTOMER_OPTED_OUT" ? "OPT_OUT" : (end ?? held.endReason),
    ...compare(person, fields),
    needless: line.needless,
    readBack: line.readBack,
    isLoop: line.turns > MOST_TURNS || held.endReason.startsWith("LIMIT_"),
  };
}

function compare(person: Person, fields: Record<string, unknown>) {
  const filled = Object.keys(fields).filter((name) => fields[name] !== null && fields[name] !== undefined);
  const names = [...new Set([...Object.keys(person.expected), ...filled])];
  const faults = names.filter((name) => !isSameValue(person, name, fields[name], person.expected[name]));
  return {
    fieldCount: names.length,
    right: names.length - faults.length,
    faults,
    wrong: faults.filter((name) => filled.includes(name)),
  };
}

function planOf({ id, language, zone, flow }: Person): SessionPlan {
  return {
    sessionId: id,
    channel: "VOICE",
    flow: {
      name: "",
      masterPrompt: flow.prompt,
      firstMessage: flow.firstMessage,
      language,
      maxDurationSeconds: 3_600,
      silenceTimeoutSeconds: 10,
      voicemail: { action: "HANG_UP", message: "" },
    },
    variables: {},
    memory: {},
    outputs: [{ name: "talk", description: "", schema: flow.schema }],
    timeZone: { name: zone, isAssumed: false },
  };
}
