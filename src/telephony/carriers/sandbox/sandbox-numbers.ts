import { fictionalCode } from "#src/platform/kernel/e164.ts";
import { answers, type Behaviour, FAILURES, type Script } from "./behaviour.ts";
import { chanceOf, hashText } from "./seeded-chance.ts";

/** True for numbers reserved for fiction, which are simulated in every workspace. */
export function isFictional(number: string): boolean {
  return fictionalCode(number) !== null;
}

/** Returns the last two digits of a fictional number (0-99), which choose the behaviour; null for any other number. */
export function sandboxCode(number: string): number | null {
  return fictionalCode(number);
}

/** One documented sandbox number: its last two digits, the line's behaviour, the end of the call, and its purpose. */
export interface SandboxNumber {
  code: number;
  name: string;
  line: string;
  outcome: string;
  shows: string;
}

const TABLE = `
00 | answers, agrees                 | rings 2 s, answers                     | ANSWERED                       | the happy path
01 | answers, declines               | answers                                | ANSWERED                       | branching, negative fields
02 | asks three questions            | answers                                | ANSWERED                       | a long transcript
03 | interrupts the agent            | answers, talks over the agent          | ANSWERED                       | interruption marks
04 | stays silent                    | answers, says nothing                  | ANSWERED                       | the silence limit
05 | speaks another language         | answers in Swedish (+44) or Spanish    | ANSWERED                       | language switch
06 | wants a human                   | answers                                | ANSWERED                       | a request for a human
07 | wrong person                    | answers, then hangs up                 | ANSWERED                       | empty fields
08 | call me later                   | answers                                | ANSWERED                       | a callback time
09 | gives bad data, then corrects   | answers                                | ANSWERED                       | repair of structured outputs
10 | busy                            | rings, busy (486)                      | BUSY                           | retry
11 | no answer                       | rings until the ring time is over      | NO_ANSWER                      | retry
12 | rejects the call                | rings 3 s, rejects (603)               | REJECTED                       | no retry
13 | busy, then answers              | busy on attempt 1, answers on 2        | BUSY, then ANSWERED            | a retry that succeeds
14 | no answer twice, then answers   | answers on attempt 3                   | NO_ANSWER twice, then ANSWERED | the retry ladder
20 | voicemail with a beep           | a machine answers                      | VOICEMAIL                      | leaving a message
21 | voicemail is full               | a machine answers, hangs up            | VOICEMAIL                      | no message left
22 | IVR menu                        | a menu answers; 1 reaches a person     | ANSWERED (IVR without a key)   | the keypad
23 | fax                             | a fax answers, ends after 4 s          | FAX                            | not a person
24 | call screener                   | asks who is calling, then a person     | ANSWERED (or CALL_SCREENED)    | screening
30 | unallocated number              | fails at once (404)                    | INVALID_NUMBER                 | error rows
31 | switched off                    | fails (480)                            | UNREACHABLE                    | retry
32 | on the do-not-call list         | never dialled                          | skipped by the gate            | compliance
33 | country not enabled             | never dialled                          | skipped by the gate            | compliance
40 | carrier unavailable             | the dial is refused (503)              | CARRIER_FAILURE                | retry or failover
41 | carrier throttles               | dial refused (429), then accepted      | requeued, then ANSWERED        | pacing
42 | carrier credentials wrong       | the dial is refused (401)              | CARRIER_FAILURE                | set-up faults
43 | media drops at 10 s             | answers, breaks off                    | CARRIER_FAILURE                | a partial transcript
44 | no events ever                  | accepted, then nothing                 | left to the watchdog           | stuck calls
45 | the dial times out              | rings, but the dial gets no answer     | ANSWERED                       | reconciliation
46 | error after accepting           | rings, but the dial answers 500        | ANSWERED                       | reconciliation
47 | every event twice               | answers                                | ANSWERED                       | duplicate events
48 | events late and out of order    | answers                                | ANSWERED                       | late events
50 | hangs up on hello               | answers, hangs up after 1 s            | ANSWERED                       | customer hung up
51 | hangs up mid-sentence           | hangs up in the agent's third turn     | ANSWERED                       | fields filled in part
53 | slow to answer                  | rings 20 s, answers                    | ANSWERED                       | a long ring
54 | slow talker                     | answers with gaps of 4 s               | ANSWERED                       | end of turn
55 | never stops talking             | answers, talks on                      | ANSWERED                       | the duration limit
70 | writes back                     | answers                                | ANSWERED                       | SMS, WhatsApp: an answer to the opening
71 | gets no messages                | answers                                | ANSWERED                       | SMS, WhatsApp: UNDELIVERED
72 | writes STOP                     | answers                                | ANSWERED                       | SMS, WhatsApp: an opt-out
73 | writes back after 60 s          | answers                                | ANSWERED                       | SMS, WhatsApp: a late answer
80 | holds the line 10 s             | answers, asks to wait                  | ANSWERED                       | the queue of a number
81 | holds the line 20 s             | answers, asks to wait                  | ANSWERED                       | the queue of a number
82 | holds the line 30 s             | answers, asks to wait                  | ANSWERED                       | the queue of a number
83 | holds the line 40 s             | answers, asks to wait                  | ANSWERED                       | the queue of a number
84 | holds the line 50 s             | answers, asks to wait                  | ANSWERED                       | the queue of a number
85 | holds the line 60 s             | answers, asks to wait                  | ANSWERED                       | the queue of a number
86 | holds the line 70 s             | answers, asks to wait                  | ANSWERED                       | the queue of a number
87 | holds the line 80 s             | answers, asks to wait                  | ANSWERED                       | the queue of a number
88 | holds the line 90 s             | answers, asks to wait                  | ANSWERED                       | the queue of a number
89 | holds the line 100 s            | answers, asks to wait                  | ANSWERED                       | the queue of a number`;

/** Every documented sandbox number, by code. A code that is not listed behaves as 0. */
export const SANDBOX_NUMBERS: readonly SandboxNumber[] = TABLE.trim()
  .split("\n")
  .map((row) => {
    const [code = "", name = "", line = "", outcome = "", shows = ""] = row.split("|").map((cell) => cell.trim());
    return { code: Number(code), name, line, outcome, shows };
  });

// The codes that do something other than answer and agree, whatever the attempt.
const SCRIPTS = new Map<number, Script>([
  [1, answers("DECLINES")],
  [2, answers("ASKS_BACK")],
  [3, answers("INTERRUPTS")],
  [4, answers("SILENT")],
  [5, answers("FOREIGN")],
  [6, answers("WANTS_HUMAN")],
  [7, answers("WRONG_PERSON")],
  [8, answers("CALL_LATER")],
  [9, answers("BAD_DATA")],
  [10, FAILURES.BUSY],
  [11, FAILURES.NO_ANSWER],
  [12, FAILURES.REJECTED],
  [20, answers("VOICEMAIL", { answeredBy: "MACHINE_VOICEMAIL" })],
  [21, answers("VOICEMAIL_FULL", { answeredBy: "MACHINE_UNAVAILABLE" })],
  [22, answers("IVR", { answeredBy: "MACHINE_IVR" })],
  [23, answers("FAX", { answeredBy: "FAX", endsAtMs: 4_000 })],
  [24, answers("SCREENER", { answeredBy: "MACHINE_SCREENING" })],
  [30, FAILURES.INVALID_NUMBER],
  [31, FAILURES.UNREACHABLE],
  [40, { kind: "REFUSES", why: "UNAVAILABLE" }],
  [41, { kind: "REFUSES", why: "THROTTLED" }],
  [42, { kind: "REFUSES", why: "CREDENTIALS" }],
  [43, answers("AGREES", { dropAtMs: 10_000 })],
  [44, { kind: "NO_EVENTS" }],
  [45, answers("AGREES", { fault: "DIAL_TIMES_OUT" })],
  [46, answers("AGREES", { fault: "DIAL_ERRORS" })],
  [47, answers("AGREES", { fault: "EVENTS_TWICE" })],
  [48, answers("AGREES", { fault: "EVENTS_OUT_OF_ORDER" })],
  [50, answers("HANGS_UP_AT_ONCE")],
  [51, answers("HANGS_UP_MID_SENTENCE")],
  [53, answers("AGREES", { ringMs: 20_000 })],
  [54, answers("SLOW")],
  [55, answers("NEVER_STOPS")],
]);

/**
 * Returns the behaviour when `to` is dialled for the `attemptNumber`th time (1 is the first). It depends on nothing
 * else: fictional numbers follow the table, any other number a hash of its digits.
 */
export function simulate(to: string, attemptNumber: number): Behaviour {
  const code = sandboxCode(to);
  const script = code === null ? simulateByHash(to, attemptNumber) : simulateByCode(code, attemptNumber);
  return { code, to, ...script };
}

function simulateByCode(code: number, attemptNumber: number): Script {
  if (code === 13 && attemptNumber < 2) return FAILURES.BUSY;
  if (code === 14 && attemptNumber < 3) return FAILURES.NO_ANSWER;
  if (code >= 80 && code <= 89) return answers("HOLDS", { holdMs: (code - 79) * 10_000 });
  return SCRIPTS.get(code) ?? answers("AGREES");
}

const HASHED_PERSONAS = ["AGREES", "DECLINES", "ASKS_BACK", "BAD_DATA", "CALL_LATER"] as const;

// 60 % answer, 18 % do not, 10 % voicemail, 6 % busy, 3 % invalid, 3 % carrier failure. Only numbers that were busy or
// did not answer may behave differently on a later attempt.
function simulateByHash(to: string, attemptNumber: number): Script {
  const first = chanceOf(to);
  const mayChange = (first >= 0.6 && first < 0.78) || (first >= 0.88 && first < 0.94);
  const chance = mayChange && attemptNumber > 1 ? chanceOf(`${to} ${attemptNumber}`) : first;
  const ringMs = 2_000 + (hashText(`${to} ring`) % 6_000);
  if (chance < 0.6) {
    const persona = HASHED_PERSONAS[hashText(`${to} persona`) % HASHED_PERSONAS.length];
    return answers(persona ?? "AGREES", { ringMs });
  }
  if (chance < 0.78) return FAILURES.NO_ANSWER;
  if (chance < 0.88) return answers("VOICEMAIL", { ringMs, answeredBy: "MACHINE_VOICEMAIL" });
  if (chance < 0.94) return FAILURES.BUSY;
  return chance < 0.97 ? FAILURES.INVALID_NUMBER : FAILURES.CARRIER_FAILURE;
}
