import { createListener } from "./listening.ts";
import { chanceOf, type Condition, createCondition, type Heard, type Moment } from "./moments.ts";
import type { Person } from "./person.ts";
import type { Answer, Do, Hold, PersonaFile } from "./persona-schema.ts";
import { findQuestion, type Question } from "./question.ts";
import { Ramble } from "./ramble.ts";
import {
  type Persona,
  type PersonaKind,
  type PersonaNote,
  type PersonaOutcome,
  type SettledReaction,
  SILENCE,
  speak,
  speechMs,
} from "./reaction.ts";

const HELLO_MS = 400;
const GAP_WORDS = 3;
/** Actions after which a persona hangs up, so that every call ends. */
const MAX_ACTIONS = 500;
/** Marks a behaviour that fired at a moment which is not repeated. */
const FOR_GOOD = -1;

/** A persona that does what its file says, and otherwise answers the question. */
export class ScriptedPersona implements Persona {
  readonly kind: PersonaKind = "PERSON";
  readonly #person: Person;
  readonly #file: PersonaFile;
  readonly #rules: { applies: Condition; do: Do; once: boolean }[];
  readonly #answers: { isAsked: (text: string) => boolean; answer: Answer }[];
  readonly #ramble: Ramble;
  /** Turn in which each behaviour (or answer, counted after them) fired, for those that fire once. */
  readonly #fired = new Map<number, number>();
  #notes: PersonaNote[] = [];
  #mistaken: { question: Question; turn: number } | undefined;
  #turn = 0;
  #actions = 0;

  constructor(person: Person, file: PersonaFile) {
    this.#person = person;
    this.#file = file;
    this.#rules = file.behaviours.map(({ when, do: act }) => ({
      applies: createCondition(when),
      do: act,
      once: when.once ?? false,
    }));
    this.#answers = file.answers.map((answer) => ({ isAsked: createListener(answer.asked), answer }));
    this.#ramble = new Ramble(person);
  }

  get notes(): readonly PersonaNote[] {
    return this.#notes;
  }

  /** See `Persona`. */
  open(): SettledReaction {
    const reported = this.#follow({ kind: "OPENING", turn: 0 });
    return reported ?? speak(this.#person.phrase("hello"), { delayMs: HELLO_MS });
  }

  /** See `Persona`. */
  hear(text: string, turn: number): SettledReaction {
    const moment = this.listen(text, turn);
    return this.heed(moment) ?? this.reply(moment);
  }

  /** See `Persona`. */
  goOn(): SettledReaction {
    const reported = this.#follow({ kind: "WAITING", turn: this.#turn });
    if (reported && reported.kind !== "SILENCE") this.#actions++;
    return reported && this.#actions > MAX_ACTIONS ? this.#giveUp() : (reported ?? SILENCE);
  }

  /** See `Persona`. */
  hearDigits(): null {
    return null;
  }

  /** See `Persona`. */
  outcome(): PersonaOutcome {
    return "ANSWERED";
  }

  /** Reads the agent's words, and undoes what their shorter version of the same turn has caused. */
  listen(text: string, turn: number): Heard {
    if (turn !== this.#turn) this.#actions++;
    this.#turn = turn;
    for (const [i, firedIn] of this.#fired) if (firedIn === turn) this.#fired.delete(i);
    this.#notes = this.#notes.filter((note) => note.turn !== turn || note.code !== "OPTED_OUT");
    const question = this.#person.understand(text);
    return { kind: "HEARD", turn, text, asked: findQuestion(text) ?? text, question };
  }

  /**
   * Returns the reaction that precedes an answer: hanging up at the limit, the correction of a mistake, or a behaviour
   * of the file. Null when there is none.
   */
  heed(moment: Heard): SettledReaction | null {
    if (this.#actions > MAX_ACTIONS) return this.#giveUp();
    const isGoodbye = moment.question.kind === "GOODBYE";
    if (this.#mistaken && moment.turn === this.#mistaken.turn + 1 && !isGoodbye)
      return this.#correct(this.#mistaken.question, moment.question);
    return this.#follow(moment);
  }

  /** Stores a note. */
  note(note: PersonaNote): void {
    this.#notes.push(note);
  }

  /** Answers the question in the person's attitude. */
  reply({ question, asked, turn }: Heard): SettledReaction {
    const goodbye = this.#person.phrase("goodbye");
    if (question.kind === "GOODBYE") return speak(goodbye, { thenHangsUp: true });
    for (const [i, { isAsked, answer }] of this.#answers.entries()) {
      const place = this.#rules.length + i;
      if ((answer.once && this.#fired.has(place)) || !isAsked(asked)) continue;
      this.#fired.set(place, turn);
      return this.utter(this.#person.word(answer.say), answer.thenHangUp ? { thenHangUp: true } : {});
    }
    return this.utter(this.#person.answer(question, this.#file.attitude));
  }

  #follow(moment: Moment): SettledReaction | null {
    for (const [i, rule] of this.#rules.entries()) {
      if (rule.once && this.#fired.has(i)) continue;
      if (!rule.applies(moment, chanceOf(this.#person.seed, i, moment.turn))) continue;
      const reaction = this.#act(rule.do, moment);
      if (!reaction) continue;
      this.#fired.set(i, moment.kind === "HEARD" ? moment.turn : FOR_GOOD);
      if (rule.do.optsOut || rule.do.phrase === "neverAgain")
        this.note({ code: "OPTED_OUT", turn: moment.turn, message: "Asked not to be called again." });
      return reaction;
    }
    return null;
  }

  /** Carries out an action; null when it is impossible now. */
  #act(act: Do, moment: Moment): SettledReaction | null {
    if (act.say !== undefined) return this.utter(this.#person.word(act.say), act);
    if (act.phrase !== undefined) return this.utter(this.#person.phrase(act.phrase), act);
    if (act.silence) return SILENCE;
    if (act.hangUp) return this.#hangUp(act);
    if (act.digits !== undefined) return { kind: "DIGITS", digits: act.digits, delayMs: act.thinkMs ?? this.#thinkMs };
    if (act.ramble) return this.#ramble.goOn(moment.kind === "HEARD" ? moment.turn : null);
    if (moment.kind !== "HEARD") return null;
    if (act.answer !== undefined) return this.utter(this.#person.answer(moment.question, act.answer), act);
    if (act.hold !== undefined) return this.#hold(act.hold, moment.question, act);
    return act.mistake ? this.#mistake(moment, act) : null;
  }

  #hangUp({ interrupt, thinkMs }: Do): SettledReaction {
    const cut = interrupt === undefined ? {} : { interruptsAfterFraction: interrupt };
    return { kind: "HANG_UP", delayMs: thinkMs ?? (interrupt === undefined ? this.#thinkMs : 0), ...cut };
  }

  #hold({ ms, wait, back, thenAnswers = true }: Hold, question: Question, act: Do): SettledReaction {
    const person = this.#person;
    const again = back === undefined ? person.phrase("back") : person.word(back);
    const pieces = [
      wait === undefined ? person.phrase("wait") : person.word(wait),
      thenAnswers ? `${again} ${person.answer(question, this.#file.attitude)}` : again,
    ];
    const text = pieces.join(" ");
    const pauseMs = Math.max(0, ms - speechMs(text));
    const spread = { pieces, pauseMs, filledWith: "MUSIC" } as const;
    return speak(text, { delayMs: act.thinkMs ?? this.#thinkMs, durationMs: ms, spread });
  }

  /** Gives one wrong answer, in one turn of the call. */
  #mistake({ question, turn }: Heard, act: Do): SettledReaction | null {
    const wrong = this.#person.mistake(question);
    if (wrong === null || (this.#mistaken && this.#mistaken.turn !== turn)) return null;
    this.#mistaken = { question, turn };
    return this.utter(wrong, act);
  }

  #correct(mistaken: Question, question: Question): SettledReaction {
    const { attitude } = this.#file;
    const correction = `${this.#person.phrase("correction")} ${this.#person.answer(mistaken, attitude)}`;
    const isAskedAgain = question.kind === mistaken.kind || question.kind === "STATEMENT";
    return this.utter(isAskedAgain ? correction : `${correction} ${this.#person.answer(question, attitude)}`);
  }

  #giveUp(): SettledReaction {
    const message = `Hung up, because they had said something ${MAX_ACTIONS} times.`;
    if (!this.#notes.some(({ code }) => code === "SPEECH_LIMIT"))
      this.note({ code: "SPEECH_LIMIT", turn: this.#turn, message });
    return { kind: "HANG_UP", delayMs: 0 };
  }

  /** Returns speech at this person's pace. */
  utter(text: string, { interrupt, thinkMs = this.#thinkMs, thenHangUp }: Do = {}): SettledReaction {
    const { gapMs = 0, gapWords = GAP_WORDS } = this.#file.pace;
    const manner = {
      delayMs: thinkMs,
      ...(interrupt === undefined ? {} : { interruptsAfterFraction: interrupt }),
      ...(thenHangUp ? { thenHangsUp: true } : {}),
    };
    if (gapMs === 0) return speak(text, manner);
    const pieces = splitWords(text, gapWords);
    const spread = { pieces, pauseMs: gapMs, filledWith: "SILENCE" } as const;
    return speak(text, { ...manner, durationMs: speechMs(text) + pieces.length * gapMs, spread });
  }

  get #thinkMs(): number {
    return this.#file.pace.thinkMs ?? speak("").delayMs;
  }
}

function splitWords(text: string, count: number): string[] {
  const words = text.split(/\s+/);
  return Array.from({ length: Math.ceil(words.length / count) }, (_, i) =>
    words.slice(i * count, (i + 1) * count).join(" "),
  );
}
