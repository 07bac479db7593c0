import Type, { type Static } from "typebox";
import { ANSWERED_BY, type AnsweredBy } from "#src/audio/line/answered-by.ts";
import { LANGUAGES } from "./language.ts";
import { PHRASES, type PhraseName } from "./phrases.ts";
import { QUESTION_KINDS } from "./question.ts";
import { PERSONA_KINDS, type PersonaKind } from "./reaction.ts";

// A description completes the sentence "… must be" in the message of a fault.
const strict = { additionalProperties: false };
const PHRASE_NAMES = Object.keys(PHRASES.en) as PhraseName[];

function oneOf<Name extends string>(names: readonly Name[]) {
  return Type.Enum([...names] as [Name, ...Name[]], { description: `one of ${names.join(", ")}` });
}

function whole(minimum: number, maximum: number) {
  return Type.Integer({ minimum, maximum, description: `a whole number from ${minimum} to ${maximum}` });
}

const Flag = Type.Literal(true, { description: "true, or left out" });
const Text = Type.String({ pattern: "\\S", maxLength: 2_000, description: "a text of 1 to 2000 characters" });
const Texts = Type.Union([Text, Type.Array(Text, { minItems: 1, maxItems: 20 })]);
const Turn = whole(1, 1_000);

/** Words of a persona: one text, several of which the seed picks one, or those by language. */
export const WordsSchema = Type.Union(
  [
    Text,
    Type.Array(Text, { minItems: 1, maxItems: 20 }),
    Type.Object(
      {
        en: Type.Optional(Texts),
        es: Type.Optional(Texts),
        de: Type.Optional(Texts),
        fr: Type.Optional(Texts),
        sv: Type.Optional(Texts),
      },
      { ...strict, minProperties: 1 },
    ),
  ],
  { description: `a text, a list of texts, or texts by language (${LANGUAGES.join(", ")})` },
);
export type Words = Static<typeof WordsSchema>;

const Pattern = Type.String({ minLength: 1, maxLength: 1_000 });
/** Words that a behaviour waits for: whole words in any case, several of which one is enough, or a pattern. */
const ListenedSchema = Type.Union(
  [
    Type.String({ pattern: "\\S", maxLength: 200 }),
    Type.Array(Type.String({ pattern: "\\S", maxLength: 200 }), { minItems: 1, maxItems: 50 }),
    Type.Object({ matches: Pattern }, strict),
  ],
  { description: "words, a list of words, or {matches: pattern}" },
);
export type Listened = Static<typeof ListenedSchema>;

const QuestionKinds = Type.Union(
  [
    Type.Enum([...QUESTION_KINDS]),
    Type.Array(Type.Enum([...QUESTION_KINDS]), { minItems: 1, maxItems: QUESTION_KINDS.length }),
  ],
  { description: `one or a list of ${QUESTION_KINDS.join(", ")}` },
);

/** Conditions of a behaviour; all that are given must hold. */
const WhenSchema = Type.Object(
  {
    turns: Type.Optional(
      Type.Array(Turn, { minItems: 1, maxItems: 1_000, description: "a list of whole numbers from 1 to 1000" }),
    ),
    fromTurn: Type.Optional(Turn),
    toTurn: Type.Optional(Turn),
    everyTurn: Type.Optional(Turn),
    heard: Type.Optional(ListenedSchema),
    asked: Type.Optional(QuestionKinds),
    about: Type.Optional(ListenedSchema),
    chance: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: "a number from 0 to 1" })),
    once: Type.Optional(Flag),
    opening: Type.Optional(Flag),
    waiting: Type.Optional(Flag),
    goodbye: Type.Optional(Flag),
    evenAtGoodbye: Type.Optional(Flag),
    always: Type.Optional(Flag),
  },
  { ...strict, description: "a mapping such as {turns: [1, 3]}" },
);
export type When = Static<typeof WhenSchema>;

const HoldSchema = Type.Object(
  {
    ms: whole(1, 600_000),
    wait: Type.Optional(WordsSchema),
    back: Type.Optional(WordsSchema),
    thenAnswers: Type.Optional(Type.Boolean({ description: "true or false" })),
  },
  { ...strict, description: "a mapping such as {ms: 20000}" },
);
export type Hold = Static<typeof HoldSchema>;

const ATTITUDES = ["AGREES", "DECLINES"] as const;

const DoSchema = Type.Object(
  {
    say: Type.Optional(WordsSchema),
    phrase: Type.Optional(oneOf(PHRASE_NAMES)),
    answer: Type.Optional(oneOf(ATTITUDES)),
    mistake: Type.Optional(Flag),
    hold: Type.Optional(HoldSchema),
    digits: Type.Optional(
      Type.String({ pattern: "^[0-9*#]{1,32}$", description: "1 to 32 keys of 0-9, * and #, in quotes" }),
    ),
    ramble: Type.Optional(Flag),
    silence: Type.Optional(Flag),
    hangUp: Type.Optional(Flag),
    interrupt: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: "a number from 0 to 1: how much of the sentence is heard" }),
    ),
    thinkMs: Type.Optional(whole(0, 60_000)),
    thenHangUp: Type.Optional(Flag),
    optsOut: Type.Optional(Flag),
  },
  { ...strict, description: "a mapping such as {say: Hello?}" },
);
export type Do = Static<typeof DoSchema>;

const BehaviourSchema = Type.Object(
  { when: WhenSchema, do: DoSchema },
  { ...strict, description: "a mapping of when and do" },
);
export type Behaviour = Static<typeof BehaviourSchema>;

const AnswerSchema = Type.Object(
  { asked: ListenedSchema, say: WordsSchema, once: Type.Optional(Flag), thenHangUp: Type.Optional(Flag) },
  { ...strict, description: "a mapping of asked and say" },
);
export type Answer = Static<typeof AnswerSchema>;

const FactSchema = Type.Union([Type.String({ minLength: 1, maxLength: 500 }), Type.Number(), Type.Boolean()], {
  description: "a text, a number, true or false",
});

const PaceSchema = Type.Object(
  {
    thinkMs: Type.Optional(whole(0, 60_000)),
    gapMs: Type.Optional(whole(0, 60_000)),
    gapWords: Type.Optional(whole(1, 100)),
  },
  { ...strict, description: "a mapping of thinkMs, gapMs and gapWords" },
);

/** A persona file as written. `docs/personas.md` explains its parts. */
export const PersonaSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, description: "a text of 1 to 100 characters" }),
    description: Type.Optional(Type.String({ maxLength: 2_000, description: "a text of at most 2000 characters" })),
    kind: Type.Optional(oneOf(PERSONA_KINDS)),
    answeredBy: Type.Optional(oneOf(ANSWERED_BY)),
    language: Type.Optional(oneOf(LANGUAGES)),
    attitude: Type.Optional(oneOf(ATTITUDES)),
    facts: Type.Optional(
      Type.Record(Type.String(), FactSchema, { description: "a mapping of names to texts or numbers" }),
    ),
    phrases: Type.Optional(
      Type.Object(Object.fromEntries(PHRASE_NAMES.map((name) => [name, Type.Optional(WordsSchema)])), {
        ...strict,
        description: "a mapping of phrases to words",
      }),
    ),
    answers: Type.Optional(Type.Array(AnswerSchema, { maxItems: 100, description: "a list of at most 100 answers" })),
    behaviours: Type.Optional(
      Type.Array(BehaviourSchema, { maxItems: 100, description: "a list of at most 100 behaviours" }),
    ),
    pace: Type.Optional(PaceSchema),
    key: Type.Optional(Type.String({ pattern: "^[0-9*#]$", description: "one key of 0-9, * and #, in quotes" })),
    goal: Type.Optional(Type.String({ maxLength: 4_000, description: "a text of at most 4000 characters" })),
    drivenBy: Type.Optional(oneOf(["SCRIPT", "MODEL"])),
  },
  { ...strict, description: "a mapping" },
);
export type WrittenPersona = Static<typeof PersonaSchema>;
export type Attitude = (typeof ATTITUDES)[number];

/** A persona from its file, checked and completed with defaults; plain data. */
export interface PersonaFile extends Pick<WrittenPersona, "name" | "language" | "goal" | "key"> {
  description: string;
  kind: PersonaKind;
  /** AMD result of a carrier that detects machines. */
  answeredBy: AnsweredBy;
  attitude: Attitude;
  facts: Record<string, string | number | boolean>;
  phrases: Partial<Record<PhraseName, Words>>;
  answers: Answer[];
  behaviours: Behaviour[];
  pace: NonNullable<WrittenPersona["pace"]>;
  drivenBy: "SCRIPT" | "MODEL";
}

/** One fault of a persona, with its path: `behaviours[1].when.turns`. */
export interface FileFault {
  path: string;
  message: string;
}
