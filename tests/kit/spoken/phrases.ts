/** Answers that people give to questions of one kind. */
export interface AnswerType {
  name: string;
  /** Schema of the expected answer; null: no question was asked. */
  schema: Record<string, unknown> | null;
  said: string[];
}

const digits = (count: number) => ({ type: "string", pattern: `^\\d{${count}}$` });

/** Answers that are expected. */
export const ANSWER_TYPES: AnswerType[] = [
  {
    name: "yes and no",
    schema: { type: "boolean" },
    said: [
      "yes",
      "no",
      "yeah",
      "nope",
      "yes please",
      "no thank you",
      "sure",
      "of course",
      "that's right",
      "not really",
    ],
  },
  {
    name: "digits",
    schema: digits(5),
    said: [
      "four two oh nine one",
      "double three seven one five",
      "nine zero two one zero",
      "one six eight eight two",
      "five five nine seven four",
      "eight oh oh three six",
      "two four six eight oh",
      "seven seven one three nine",
      "six one four oh two",
      "three nine eight five one",
    ],
  },
  {
    name: "numbers",
    schema: { type: "integer" },
    said: [
      "two",
      "seven",
      "eleven",
      "fifteen",
      "fifty",
      "twenty three",
      "one hundred and five",
      "two thousand four hundred",
    ],
  },
  {
    name: "dates",
    schema: { type: "string", format: "date" },
    said: [
      "tomorrow",
      "next friday",
      "on monday",
      "the third of march",
      "december fifth",
      "on monday the twenty first of june",
      "in two weeks",
      "may the thirtieth two thousand twenty seven",
    ],
  },
  {
    name: "times",
    schema: { type: "string", format: "time" },
    said: [
      "at three thirty p m",
      "half past nine",
      "noon",
      "quarter to six",
      "ten o'clock",
      "eight fifteen in the morning",
    ],
  },
  {
    name: "days with times",
    schema: { type: "string", format: "date-time" },
    said: [
      "tomorrow at three thirty p m",
      "on friday at noon",
      "next tuesday at half past ten",
      "at nine on the second of april",
    ],
  },
  {
    name: "choices",
    schema: { enum: ["CARD", "BANK_TRANSFER", "CASH", "2 bedrooms", "sales", "SUPPORT", "opening hours"] },
    said: ["card", "bank transfer", "cash please", "two bedrooms", "sales", "support", "opening hours"],
  },
  {
    name: "before any question",
    schema: null,
    said: [
      "hello",
      "yes",
      "no",
      "good morning",
      "who is this",
      "wrong number",
      "stop calling me",
      "don't call me again",
      "take me off your list",
      "i'm not interested",
      "call me back later",
      "goodbye",
      "are you a robot",
    ],
  },
];

/** Sentences that no grammar contains, whatever was asked. */
export const UNEXPECTED = [
  "my name is anna berg",
  "i would have to ask my wife about that",
  "the red one with the long handle",
  "why do you want to know",
  "it depends on the weather",
  "i already talked to your colleague last week",
  "let me get a pen",
  "mountain",
];
