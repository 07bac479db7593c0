import type { AnswerClass } from "#src/audio/line/answered-by.ts";
import { bang, noise, tone } from "./sounds.ts";

/** A part of the person's audio: speech, a pause or another sound. */
export type Part =
  | { kind: "SPEECH"; text: string; voice: string; gain: number; clipMs: number }
  | { kind: "PAUSE"; ms: number }
  | { kind: "SOUND"; samples: Int16Array; isBeep: boolean };

/** Allowed effects on the agent's speech: KEEPS allows a pause when it resumes. */
export type BargeLabel = "CLEARS" | "KEEPS" | "PLAYS_ON";

/** A recording to make, with the right decision for it. */
export interface RecordingPlan {
  name: string;
  language: string;
  parts: Part[];
  /** Level of line noise, root mean square. */
  noiseLevel: number;
  /** Sound under the whole recording. */
  under: Int16Array | null;
  /** The agent speaks from `atMs`; `echo` is the share of it that comes back, 120 ms later. */
  agent: { text: string; atMs: number; echo: number } | null;
  label:
    | { about: "ENDPOINTING"; turns: string[] }
    | { about: "BARGE_IN"; agent: BargeLabel }
    | { about: "ANSWER"; answeredBy: AnswerClass; withinMs: number };
}

type Options = Partial<Pick<RecordingPlan, "language" | "noiseLevel" | "under">>;

const say = (text: string, options: { voice?: string; gain?: number; clipMs?: number } = {}): Part => ({
  kind: "SPEECH",
  text,
  voice: options.voice ?? "rms",
  gain: options.gain ?? 1,
  clipMs: options.clipMs ?? 0,
});
const pause = (ms: number): Part => ({ kind: "PAUSE", ms });
const sound = (...sounds: Int16Array[]): Part => {
  const samples = new Int16Array(sounds.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of sounds) {
    samples.set(one, at);
    at += one.length;
  }
  return { kind: "SOUND", samples, isBeep: false };
};
const beep = (ms: number, frequenciesHz: number[], amplitude = 6_000): Part => ({
  kind: "SOUND",
  samples: tone(ms, frequenciesHz, amplitude),
  isBeep: true,
});
const gap = (ms: number) => new Int16Array(ms * 8);
const repeat = (count: number, ...sounds: Int16Array[]): Part =>
  sound(...Array.from({ length: count }, () => sounds).flat());

function endpointing(name: string, parts: Part[], turns: string[], options: Options = {}): RecordingPlan {
  return { ...defaults(name, [pause(600), ...parts], options), label: { about: "ENDPOINTING", turns } };
}

const AGENT_TEXT =
  "Thank you for calling. I can offer you an appointment on Monday at nine, on Tuesday at eleven, or on Friday in the afternoon at half past three. Which of these would suit you best?";

function bargeIn(
  name: string,
  parts: Part[],
  agent: BargeLabel,
  options: Options & { echo?: number } = {},
): RecordingPlan {
  const { echo = 0, ...rest } = options;
  return {
    ...defaults(name, [pause(2_500), ...parts], rest),
    agent: { text: AGENT_TEXT, atMs: 500, echo },
    label: { about: "BARGE_IN", agent },
  };
}

function answer(
  name: string,
  parts: Part[],
  answeredBy: AnswerClass,
  withinMs: number,
  options: Options = {},
): RecordingPlan {
  return { ...defaults(name, parts, options), label: { about: "ANSWER", answeredBy, withinMs } };
}

function defaults(name: string, parts: Part[], options: Options): Omit<RecordingPlan, "label"> {
  return { name, language: "en", noiseLevel: 8, under: null, agent: null, parts, ...options };
}

const SENTENCE = "I would like to come on Monday morning";
const sentence = (options: Options = {}, gain = 1): [Part[], string[], Options] => [
  [say(SENTENCE, { gain })],
  [SENTENCE],
  options,
];

const ENDPOINTING_PLANS: RecordingPlan[] = [
  endpointing("a short yes", [say("yes")], ["yes"]),
  endpointing("a short no in another voice", [say("no thank you", { voice: "slt" })], ["no thank you"]),
  endpointing("a sentence", ...sentence()),
  endpointing("a sentence at 20 dB", ...sentence({ noiseLevel: 300 })),
  endpointing("a sentence at 10 dB", ...sentence({ noiseLevel: 900 })),
  endpointing("a sentence at 5 dB", ...sentence({ noiseLevel: 1_600 })),
  endpointing("a sentence over mains hum", ...sentence({ under: tone(12_000, [50, 150], 900) })),
  endpointing("a quiet speaker", ...sentence({}, 0.12)),
  endpointing("a sentence with a clipped start", [say(SENTENCE, { clipMs: 140 })], [SENTENCE]),
  endpointing(
    "a call that begins in the middle of a word",
    [say("hello who is this please", { clipMs: 260 })],
    ["hello who is this please"],
  ),
  endpointing(
    "a number in two groups",
    [say("my number is five five five"), pause(900), say("one two three four")],
    ["my number is five five five one two three four"],
  ),
  endpointing(
    "a number in three groups",
    [say("it is two zero two"), pause(800), say("five five five"), pause(900), say("zero one nine nine")],
    ["it is two zero two five five five zero one nine nine"],
  ),
  endpointing(
    "a number in a noisy room",
    [say("five five five"), pause(1_000), say("one two three four")],
    ["five five five one two three four"],
    { noiseLevel: 700 },
  ),
  endpointing(
    "um and a pause",
    [say("um"), pause(900), say("I would like to book a table")],
    ["um I would like to book a table"],
  ),
  endpointing(
    "a trailing and",
    [say("I can come on Monday and"), pause(900), say("maybe on Tuesday")],
    ["I can come on Monday and maybe on Tuesday"],
  ),
  endpointing(
    "a trailing because",
    [say("I cannot come because", { voice: "slt" }), pause(1_000), say("my car is broken", { voice: "slt" })],
    ["I cannot come because my car is broken"],
  ),
  endpointing("two turns", [say("yes"), pause(1_500), say("but not before noon")], ["yes", "but not before noon"]),
  endpointing(
    "short pauses between words",
    [say("I live"), pause(350), say("near the old"), pause(400), say("railway station")],
    ["I live near the old railway station"],
  ),
  endpointing(
    "a slow speaker whose pauses grow",
    [
      say("well it was late"),
      pause(430),
      say("it was very dark"),
      pause(430),
      say("it was rather cold"),
      pause(430),
      say("it was raining hard"),
      pause(530),
      say("it was a Monday"),
    ],
    ["well it was late it was very dark it was rather cold it was raining hard it was a Monday"],
  ),
  endpointing("bangs and nobody", [sound(bang()), pause(1_200), sound(bang(9_000, 8)), pause(1_200)], []),
  endpointing("a door before the answer", [sound(bang()), pause(900), say("yes please")], ["yes please"]),
  endpointing("a fan that is switched on", [sound(noise(3_000, 500)), pause(800)], [], {}),
  endpointing("a fan, then an answer over it", [pause(2_500), say(SENTENCE)], [SENTENCE], {
    under: fan(1_000, 11_000, 450),
  }),
  endpointing(
    "keys pressed",
    [sound(tone(180, [770, 1336])), pause(300), sound(tone(180, [852, 1477])), pause(1_500)],
    [],
  ),
  endpointing(
    "Spanish: a trailing porque",
    [say("no puedo porque"), pause(900), say("trabajo el lunes")],
    ["no puedo porque trabajo el lunes"],
    { language: "es" },
  ),
  endpointing(
    "German: a trailing und",
    [say("ich komme am Montag und"), pause(900), say("am Dienstag")],
    ["ich komme am Montag und am Dienstag"],
    { language: "de" },
  ),
  endpointing(
    "French: half a number",
    [say("zero six quatre"), pause(900), say("deux trois un huit")],
    ["zero six quatre deux trois un huit"],
    { language: "fr" },
  ),
  endpointing("Swedish: a whole answer", [say("ja tack")], ["ja tack"], { language: "sv" }),
];

const BARGE_IN_PLANS: RecordingPlan[] = [
  bargeIn("an interruption", [say("wait stop please")], "CLEARS"),
  bargeIn("an interruption at 20 dB", [say("excuse me I have a question")], "CLEARS", { noiseLevel: 300 }),
  bargeIn("an interruption at 10 dB", [say("excuse me I have a question")], "CLEARS", { noiseLevel: 900 }),
  bargeIn("an interruption over an echo of -20 dB", [say("excuse me I have a question")], "CLEARS", { echo: 0.1 }),
  bargeIn("an interruption over an echo of -12 dB", [say("excuse me I have a question")], "CLEARS", { echo: 0.25 }),
  bargeIn("a short no", [say("no")], "CLEARS"),
  bargeIn("a quiet interruption", [say("hold on a moment", { gain: 0.2 })], "CLEARS"),
  bargeIn("mhm", [say("mhm")], "KEEPS"),
  bargeIn("okay", [say("okay")], "KEEPS"),
  bargeIn("yeah right", [say("yeah right", { voice: "slt" })], "KEEPS"),
  bargeIn("German: ja genau", [say("ja genau")], "KEEPS", { language: "de" }),
  bargeIn("Spanish: claro", [say("claro")], "KEEPS", { language: "es" }),
  bargeIn("a bang", [sound(bang())], "PLAYS_ON"),
  bargeIn("two bangs", [sound(bang()), pause(150), sound(bang(12_000, 11))], "KEEPS"),
  bargeIn("a cough", [sound(fade(420, 3_500))], "KEEPS"),
  bargeIn("a car horn", [sound(tone(900, [420, 510], 5_000))], "KEEPS"),
  bargeIn("an echo of -20 dB", [], "PLAYS_ON", { echo: 0.1 }),
  bargeIn("an echo of -12 dB", [], "PLAYS_ON", { echo: 0.25 }),
  bargeIn("an echo of -7 dB in noise", [], "PLAYS_ON", { echo: 0.45, noiseLevel: 100 }),
  bargeIn("a noisy line", [], "PLAYS_ON", { noiseLevel: 900 }),
  bargeIn("a fan that is switched on while the agent speaks", [sound(noise(3_000, 500))], "KEEPS"),
];

const GREETING =
  "Hello, you have reached Anna Miller. I cannot take your call right now. Please leave a message after the tone.";
const LONG_MENU =
  "Thank you for calling the city library. For opening hours, press one. To renew a book, press two. To speak to us, press zero.";
const GREETING_DE = "Hier ist der Anschluss von Anna Maier. Bitte hinterlassen Sie eine Nachricht nach dem Signalton.";

const ANSWER_PLANS: RecordingPlan[] = [
  answer("hello", [pause(400), say("hello")], "HUMAN", 2_500),
  answer("hello with a name", [pause(500), say("hello this is Anna speaking", { voice: "slt" })], "HUMAN", 4_000),
  answer("hello at 10 dB", [pause(900), say("hello")], "HUMAN", 3_500, { noiseLevel: 900 }),
  answer("hello clipped by the answer", [say("hello hello", { clipMs: 150 })], "HUMAN", 2_500),
  answer("hello after four seconds", [pause(4_000), say("hello who is there")], "HUMAN", 7_000),
  answer("hello after eight seconds", [pause(8_000), say("hello")], "HUMAN", 10_000),
  answer(
    "a business that answers at length",
    [
      pause(400),
      say("Good morning, Smith and Sons dental practice, this is Anna, how may I help you?", { voice: "slt" }),
    ],
    "HUMAN",
    7_000,
  ),
  answer(
    "voicemail with a beep of 1000 Hz",
    [pause(800), say(GREETING), pause(500), beep(400, [1_000]), pause(3_000)],
    "MACHINE_VOICEMAIL",
    9_000,
  ),
  answer(
    "voicemail with a beep of 440 Hz",
    [pause(800), say(GREETING, { voice: "slt" }), pause(300), beep(600, [440]), pause(3_000)],
    "MACHINE_VOICEMAIL",
    9_000,
  ),
  answer(
    "voicemail with a long beep of 1400 Hz",
    [pause(800), say(GREETING), pause(900), beep(1_200, [1_400]), pause(3_000)],
    "MACHINE_VOICEMAIL",
    9_000,
  ),
  answer(
    "voicemail with a short soft beep",
    [pause(800), say(GREETING), pause(400), beep(160, [850], 1_500), pause(3_000)],
    "MACHINE_VOICEMAIL",
    9_000,
  ),
  answer(
    "voicemail with a beep at 15 dB",
    [pause(800), say(GREETING), pause(400), beep(400, [1_000]), pause(3_000)],
    "MACHINE_VOICEMAIL",
    9_000,
    { noiseLevel: 500 },
  ),
  answer(
    "voicemail with a beep of 1100 Hz",
    [pause(800), say(GREETING), pause(400), beep(500, [1_100]), pause(3_000)],
    "MACHINE_VOICEMAIL",
    9_000,
  ),
  answer(
    "voicemail that begins with a hello",
    [pause(500), say("Hi"), pause(900), say(GREETING), pause(400), beep(300, [950]), pause(3_000)],
    "MACHINE_VOICEMAIL",
    10_000,
  ),
  answer("voicemail without a beep", [pause(800), say(GREETING), pause(5_000)], "MACHINE_VOICEMAIL", 9_000),
  answer(
    "a full mailbox",
    [pause(600), say("The mailbox is full and cannot accept any messages at this time. Goodbye.")],
    "MACHINE_UNAVAILABLE",
    6_000,
  ),
  answer(
    "a screening assistant",
    [
      pause(500),
      say(
        "Hi. The person you are calling is using a screening service. Please say your name and why you are calling.",
        { voice: "slt" },
      ),
      pause(2_000),
    ],
    "MACHINE_SCREENING",
    8_000,
  ),
  answer(
    "a screening prompt to record a name",
    [
      pause(500),
      say("Please record your name and reason for calling. I will see if this person is available."),
      pause(2_000),
    ],
    "MACHINE_SCREENING",
    6_000,
  ),
  answer(
    "screening, then the person",
    [pause(500), say("Please say your name and why you are calling."), pause(6_000), say("hello", { voice: "slt" })],
    "HUMAN",
    14_000,
  ),
  answer("a menu", [pause(500), say(LONG_MENU), pause(2_000)], "MACHINE_IVR", 10_000),
  answer("a short menu", [pause(500), say("Press one for English."), pause(3_000)], "MACHINE_IVR", 4_000),
  answer(
    "a queue",
    [pause(500), say("All of our agents are busy. Your call is important to us."), pause(500), music(4_000)],
    "MACHINE_IVR",
    6_000,
  ),
  answer("a fax that answers", [pause(1_500), sound(tone(3_000, [2_100]))], "FAX", 3_000),
  answer("a fax that calls", [pause(800), repeat(3, tone(500, [1_100]), gap(3_000))], "FAX", 2_000),
  answer(
    "a number out of service",
    [
      pause(200),
      sound(tone(330, [950]), tone(330, [1_400]), tone(330, [1_800])),
      pause(800),
      say("The number you have dialed is not in service."),
    ],
    "MACHINE_UNAVAILABLE",
    2_000,
  ),
  answer("nobody", [pause(9_000)], "SILENCE", 5_500),
  answer("nobody on a noisy line", [pause(9_000)], "SILENCE", 5_500, { noiseLevel: 600 }),
  answer(
    "a busy tone of two frequencies",
    [pause(200), repeat(8, tone(500, [480, 620], 4_000), gap(500))],
    "UNCERTAIN",
    8_000,
  ),
  answer("a busy tone of 425 Hz", [pause(200), repeat(8, tone(500, [425]), gap(500))], "UNCERTAIN", 8_000),
  answer("music on hold", [pause(300), music(8_000)], "UNCERTAIN", 8_000),
  answer(
    "music, then a person",
    [pause(300), music(5_000), pause(600), say("hello how can I help you", { voice: "slt" })],
    "HUMAN",
    10_000,
  ),
  answer(
    "German voicemail",
    [pause(600), say(GREETING_DE), pause(400), beep(500, [1_000]), pause(3_000)],
    "MACHINE_VOICEMAIL",
    9_000,
    { language: "de" },
  ),
  answer("Spanish menu", [pause(600), say("Para ventas pulse uno. Para soporte pulse dos.")], "MACHINE_IVR", 5_000, {
    language: "es",
  }),
  answer(
    "French voicemail",
    [
      pause(600),
      say("Bonjour, vous etes bien chez Anne. Laissez un message apres le bip."),
      pause(400),
      beep(400, [1_400]),
      pause(3_000),
    ],
    "MACHINE_VOICEMAIL",
    8_000,
    { language: "fr" },
  ),
  answer("Swedish hello", [pause(600), say("hej det ar Anna")], "HUMAN", 4_000, { language: "sv" }),
];

/** All recordings of the corpus. */
export const RECORDING_PLANS: readonly RecordingPlan[] = [...ENDPOINTING_PLANS, ...BARGE_IN_PLANS, ...ANSWER_PLANS];

function fan(fromMs: number, ms: number, level: number): Int16Array {
  const samples = new Int16Array((fromMs + ms) * 8);
  samples.set(noise(ms, level, 21), fromMs * 8);
  return samples;
}

/** Noise that swells and fades. */
function fade(ms: number, level: number): Int16Array {
  const samples = noise(ms, level, 17);
  return samples.map((sample, at) => sample * Math.sin((Math.PI * at) / samples.length));
}

/** A slow tune of chords, as queues play it. */
function music(ms: number): Part {
  const chords = [
    [262, 330, 392],
    [349, 440, 523],
    [392, 494, 587],
    [330, 392, 523],
  ];
  const chordMs = 600;
  const played = Array.from({ length: Math.ceil(ms / chordMs) }, (_, at) => {
    const chord = tone(chordMs, chords[at % chords.length] ?? [], 2_200);
    return chord.map((sample, i) => sample * Math.exp(-i / 6_000) * Math.min(1, i / 80));
  });
  return sound(...played);
}
