import type { LanguageModel, ModelMessage } from "#src/engine/models/models.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { readModelAnswer } from "./model-answer.ts";
import { writeBriefing } from "./model-briefing.ts";
import type { Heard } from "./moments.ts";
import type { Person } from "./person.ts";
import type { PersonaFile } from "./persona-schema.ts";
import type { Persona, PersonaKind, PersonaNote, PersonaOutcome, Reaction, SettledReaction } from "./reaction.ts";
import type { ScriptedPersona } from "./scripted-persona.ts";

/** Turns after which a model that has not hung up is made to say goodbye. */
const MAX_TURNS = 60;
const LONGEST_ANSWER_MS = 30_000;
const LONGEST_ANSWER_CHARACTERS = 1_000;

/** One turn of the agent, and the persona's reply. */
interface Exchange {
  turn: number;
  heard: string;
  said: string;
}

/**
 * A persona for which a language model speaks. Behaviours of its file still happen as written. When the model fails,
 * the script answers from then on.
 */
export class ModelPersona implements Persona {
  readonly kind: PersonaKind = "PERSON";
  readonly #script: ScriptedPersona;
  readonly #person: Person;
  readonly #file: PersonaFile;
  readonly #model: LanguageModel;
  #dialogue: Exchange[] = [];
  #notes: PersonaNote[] = [];
  #works = true;

  constructor(script: ScriptedPersona, person: Person, file: PersonaFile, model: LanguageModel) {
    this.#script = script;
    this.#person = person;
    this.#file = file;
    this.#model = model;
  }

  get notes(): readonly PersonaNote[] {
    return [...this.#script.notes, ...this.#notes];
  }

  /** See `Persona`. */
  open(): Reaction {
    return this.#script.open();
  }

  /** See `Persona`. */
  hear(text: string, turn: number): Reaction {
    const moment = this.#script.listen(text, turn);
    this.#dialogue = this.#dialogue.filter((exchange) => exchange.turn !== turn);
    this.#notes = this.#notes.filter((note) => note.turn !== turn || note.code !== "OPTED_OUT");
    const exchange: Exchange = { turn, heard: text, said: "" };
    this.#dialogue.push(exchange);
    const reported = this.#script.heed(moment);
    if (reported) return keep(exchange, reported);
    if (!this.#works) return keep(exchange, this.#script.reply(moment));
    if (this.#dialogue.length > MAX_TURNS) return this.#leave(exchange);
    return { kind: "THINKING", settle: (signal) => this.#think(exchange, moment, signal) };
  }

  /** See `Persona`. */
  goOn(): Reaction {
    return this.#script.goOn();
  }

  /** See `Persona`. */
  hearDigits(): null {
    return null;
  }

  /** See `Persona`. */
  outcome(): PersonaOutcome {
    return this.#script.outcome();
  }

  async #think(exchange: Exchange, moment: Heard, signal: AbortSignal): Promise<SettledReaction> {
    try {
      return this.#do(await this.#ask(exchange, signal), exchange);
    } catch (error) {
      signal.throwIfAborted();
      this.#works = false;
      const message = `The script answers from here on, because the model failed: ${toError(error).message}`;
      this.#note("MODEL_FAILED", exchange.turn, message);
      return keep(exchange, this.#script.reply(moment));
    }
  }

  #do(answer: string, exchange: Exchange): SettledReaction {
    const { text, hangsUp, optsOut } = readModelAnswer(answer);
    if (optsOut) this.#note("OPTED_OUT", exchange.turn, "Asked not to be called again.");
    if (text !== "") return keep(exchange, this.#script.utter(text, hangsUp ? { thenHangUp: true } : {}));
    return keep(exchange, hangsUp ? { kind: "HANG_UP", delayMs: 600 } : { kind: "SILENCE" });
  }

  /** Asks the model. It may ignore its signal, so nothing waits for it once that has aborted. */
  async #ask(exchange: Exchange, signal: AbortSignal): Promise<string> {
    const late = new AbortController();
    const error = new Error(`It was silent for ${LONGEST_ANSWER_MS / 1_000} seconds.`);
    const timer = setTimeout(() => late.abort(error), LONGEST_ANSWER_MS);
    const either = AbortSignal.any([signal, late.signal]);
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(either.reason as Error);
    either.addEventListener("abort", abort, { once: true });
    try {
      either.throwIfAborted();
      return await Promise.race([this.#collect(exchange, either), aborted.promise]);
    } finally {
      clearTimeout(timer);
      either.removeEventListener("abort", abort);
    }
  }

  async #collect(exchange: Exchange, signal: AbortSignal): Promise<string> {
    const { language } = this.#person;
    const messages = this.#write(exchange);
    let text = "";
    for await (const piece of this.#model.respond({ messages, tools: [], outputs: [], language, signal })) {
      if (piece.kind === "TEXT") text += piece.text;
      if (text.length > LONGEST_ANSWER_CHARACTERS) break;
    }
    return text.slice(0, LONGEST_ANSWER_CHARACTERS);
  }

  #write(exchange: Exchange): ModelMessage[] {
    const past = this.#dialogue.filter(({ turn }) => turn < exchange.turn);
    return [
      { role: "SYSTEM", content: writeBriefing(this.#file, this.#person) },
      ...past.flatMap(({ heard, said }): ModelMessage[] => [
        { role: "USER", content: heard },
        { role: "ASSISTANT", content: said === "" ? "[SILENCE]" : said },
      ]),
      { role: "USER", content: exchange.heard },
    ];
  }

  #leave(exchange: Exchange): SettledReaction {
    this.#note("TURN_LIMIT", exchange.turn, `Said goodbye, because the talk went on for more than ${MAX_TURNS} turns.`);
    return keep(exchange, this.#script.utter(this.#person.phrase("goodbye"), { thenHangUp: true }));
  }

  #note(code: PersonaNote["code"], turn: number, message: string): void {
    this.#notes.push({ code, turn, message });
  }
}

function keep(exchange: Exchange, reaction: SettledReaction): SettledReaction {
  if (reaction.kind === "SPEAK") exchange.said = reaction.text;
  return reaction;
}
