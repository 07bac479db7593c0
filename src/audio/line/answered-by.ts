/** Kinds of person or machine that answer a call, as carriers report them. */
export const ANSWERED_BY = [
  "HUMAN",
  "MACHINE_VOICEMAIL",
  "MACHINE_IVR",
  "MACHINE_SCREENING",
  "MACHINE_UNAVAILABLE",
  "FAX",
  "UNCERTAIN",
] as const;
/** Kind of person or machine that answered, as a carrier reports it. */
export type AnsweredBy = (typeof ANSWERED_BY)[number];

/** Kind of person or machine that answered, as answering machine detection (AMD) reports it. */
export type AnswerClass = AnsweredBy | "SILENCE";
