import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SYSTEM_TOOLS } from "#src/authoring/tools/system-tools.ts";
import { World } from "../kit/world.ts";

interface Turn {
  role: string;
  content: string;
  interrupted: boolean;
}

interface Row {
  id: string;
  customerNumber: string;
  status: string;
  outcome: string;
  endReason: string | null;
  attempt: number;
  attempts: { outcome: string | null; answeredAt: string | null }[];
  extractedFields: Record<string, unknown>;
  structuredOutputs: Record<string, { valid: boolean; errors: string[] }>;
  transcript: Turn[];
}

/** Expected result of a call to a documented number; written from the table of the numbers before any was called. */
interface Expected {
  number: string;
  shows: string;
  status?: string;
  outcome?: string;
  attempt?: number;
  /** Number of dials, where one that rang nobody does not count as an attempt. */
  dials?: number;
  end: string | null;
  /** Exactly these; absent where they depend on how far the call got. */
  fields?: unknown;
  /** Further checks of the transcript. */
  also?: (row: Row) => void;
}

const anyInteger: unknown = expect.any(Number);
const anAddress: unknown = expect.stringMatching(/^\w+\.\w+@example\.com$/);
const aChannel: unknown = expect.stringMatching(/^(phone|text message|e-mail)$/);
const ALL = { coming: true, people: anyInteger, channel: aChannel, email: anAddress };

const textOf = (row: Row, role: string): string =>
  row.transcript
    .filter((turn) => turn.role === role)
    .map(({ content }) => content)
    .join("\n");
const says = (pattern: RegExp) => (row: Row) => expect(textOf(row, "ASSISTANT")).toMatch(pattern);
const calls = (tool: string) => (row: Row) => expect(textOf(row, "TOOL")).toContain(`"name":"${tool}"`);
const tomorrowAtFive = (row: Row): void => {
  const answered = Date.parse(row.attempts[0]?.answeredAt ?? "");
  const tomorrow = new Date(answered + 86_400_000).toISOString().slice(0, 10);
  expect(row.extractedFields.callbackAt).toBe(`${tomorrow}T17:00:00Z`);
};

const US = "+120255501";

const EXPECTED: Expected[] = [
  { number: `${US}00`, shows: "agrees: every field", end: "AGENT_ENDED_CALL", fields: ALL },
  { number: `${US}01`, shows: "declines: a no, and nothing else", end: "AGENT_ENDED_CALL", fields: { coming: false } },
  {
    number: `${US}02`,
    shows: "asks back three times, is answered, and answers all the same",
    end: "AGENT_ENDED_CALL",
    fields: ALL,
    also(row) {
      expect(row.transcript.length).toBeGreaterThanOrEqual(9);
      says(/automated assistant of Acme Dental[^]*where your number comes from/)(row);
    },
  },
  {
    number: `${US}03`,
    shows: "interrupts, and is let finish",
    end: "AGENT_ENDED_CALL",
    fields: ALL,
    also: (row) => expect(row.transcript.some(({ interrupted }) => interrupted)).toBe(true),
  },
  {
    number: `${US}04`,
    shows: "is silent: the silence limit",
    end: "LIMIT_SILENCE",
    fields: {},
    also: says(/Are you still there\?/),
  },
  { number: `${US}05`, shows: "answers in Spanish", end: "AGENT_ENDED_CALL", fields: ALL, also: says(/Gracias/) },
  { number: "+442079460105", shows: "answers in Swedish", end: "AGENT_ENDED_CALL", fields: ALL, also: says(/hej då/i) },
  {
    number: `${US}06`,
    shows: "wants a human, and is handed over",
    outcome: "TRANSFERRED",
    end: "AGENT_TRANSFERRED_CALL",
    fields: {},
    also: calls("transfer_call"),
  },
  {
    number: `${US}07`,
    shows: "is the wrong person: no fields, an apology",
    end: "AGENT_ENDED_CALL",
    fields: {},
    also: says(/sorry for the mistake/),
  },
  {
    number: `${US}08`,
    shows: "is called back tomorrow at five",
    end: "AGENT_ENDED_CALL",
    fields: { callbackAt: expect.any(String) as string },
    also(row) {
      tomorrowAtFive(row);
      calls("schedule_callback")(row);
    },
  },
  {
    number: `${US}09`,
    shows: "says it wrong, corrects it: every field",
    end: "AGENT_ENDED_CALL",
    fields: ALL,
    also: (row) => expect(row.structuredOutputs).toMatchObject({ visit: { valid: true, errors: [] } }),
  },
  { number: `${US}13`, shows: "is busy, then agrees", attempt: 2, end: "AGENT_ENDED_CALL", fields: ALL },
  { number: `${US}14`, shows: "does not answer twice, then agrees", attempt: 3, end: "AGENT_ENDED_CALL", fields: ALL },
  {
    number: `${US}20`,
    shows: "is a mailbox: a message",
    outcome: "VOICEMAIL",
    end: "AGENT_LEFT_VOICEMAIL",
    fields: {},
    also: says(/Please call Acme Dental back\./),
  },
  {
    number: `${US}21`,
    shows: "is a full mailbox: no message",
    status: "FAILED",
    outcome: "VOICEMAIL",
    end: "AGENT_HUNG_UP_ON_MACHINE",
    fields: {},
    also: (row) => expect(textOf(row, "ASSISTANT")).toBe(""),
  },
  {
    number: `${US}22`,
    shows: "is a menu: a key reaches somebody who agrees",
    outcome: "IVR",
    end: "AGENT_ENDED_CALL",
    fields: ALL,
    also: (row) => expect(textOf(row, "SYSTEM")).toContain("Pressed 1"),
  },
  {
    number: `${US}23`,
    shows: "is a fax",
    status: "FAILED",
    outcome: "FAX",
    end: "AGENT_HUNG_UP_ON_MACHINE",
    fields: {},
  },
  {
    number: `${US}24`,
    shows: "screens its calls, is told who calls, then agrees",
    outcome: "CALL_SCREENED",
    end: "AGENT_ENDED_CALL",
    fields: ALL,
    also: says(/this is Acme Dental/),
  },
  { number: `${US}41`, shows: "is throttled at first, then agrees", dials: 2, end: "AGENT_ENDED_CALL", fields: ALL },
  {
    number: `${US}43`,
    shows: "loses its media: what was said so far",
    status: "FAILED",
    outcome: "INTERRUPTED",
    end: "CARRIER_CONNECTION_LOST",
    also(row) {
      says(/^Hello/)(row);
      // Ten seconds are too short for all questions.
      expect(row.extractedFields).not.toHaveProperty("email");
    },
  },
  { number: `${US}45`, shows: "agrees, though the dial timed out", end: "AGENT_ENDED_CALL", fields: ALL },
  { number: `${US}46`, shows: "agrees, though the dial answered with an error", end: "AGENT_ENDED_CALL", fields: ALL },
  { number: `${US}47`, shows: "agrees, with every event twice", end: "AGENT_ENDED_CALL", fields: ALL },
  { number: `${US}48`, shows: "agrees, with events out of order", end: "AGENT_ENDED_CALL", fields: ALL },
  { number: `${US}50`, shows: "hangs up on hello", end: "CUSTOMER_HUNG_UP", fields: {} },
  {
    number: `${US}51`,
    shows: "hangs up in mid-sentence: what was told",
    end: "CUSTOMER_HUNG_UP",
    fields: { coming: true },
  },
  { number: `${US}53`, shows: "picks up late, then agrees", end: "AGENT_ENDED_CALL", fields: ALL },
  { number: `${US}54`, shows: "talks slowly, and agrees", end: "AGENT_ENDED_CALL", fields: ALL },
  {
    number: `${US}55`,
    shows: "never stops talking: the limit",
    end: "LIMIT_DURATION",
    fields: {},
    also: says(/our time is up/),
  },
  ...Array.from({ length: 10 }, (_, i): Expected => ({
    number: `${US}8${i}`,
    shows: `holds the line for ${(i + 1) * 10} seconds, then agrees`,
    end: "AGENT_ENDED_CALL",
    fields: ALL,
  })),
];

/** Numbers at which nobody answers. */
const UNANSWERED: [number: string, status: string, outcome: string, attempts: number, end: string][] = [
  [`${US}10`, "FAILED", "BUSY", 3, "CARRIER_BUSY"],
  [`${US}11`, "FAILED", "NO_ANSWER", 3, "CARRIER_NO_ANSWER"],
  [`${US}12`, "FAILED", "REJECTED", 1, "CARRIER_REJECTED"],
  [`${US}30`, "FAILED", "INVALID_NUMBER", 1, "CARRIER_INVALID_NUMBER"],
  [`${US}31`, "FAILED", "UNREACHABLE", 1, "CARRIER_UNREACHABLE"],
  [`${US}32`, "SKIPPED", "BLOCKED", 0, "GATE_DO_NOT_CALL"],
  [`${US}33`, "SKIPPED", "BLOCKED", 0, "GATE_COUNTRY_NOT_ENABLED"],
  [`${US}40`, "FAILED", "CARRIER_FAILURE", 1, "CARRIER_CARRIER_FAILURE"],
  [`${US}42`, "FAILED", "CARRIER_FAILURE", 1, "CARRIER_CARRIER_FAILURE"],
];

const FLOW = {
  name: "Visit",
  masterPrompt: "You are the assistant of {{ company }}.",
  firstMessage: "Hello, this is {{ company }}. I am calling about your visit.",
  language: "en-US",
  localVariables: [{ variableName: "company", type: "string", defaultValue: "Acme Dental" }],
  structuredOutputs: [
    {
      name: "visit",
      schema: {
        type: "object",
        properties: {
          coming: { type: "boolean", description: "Will you come to your appointment?" },
          people: { type: "integer", minimum: 1, maximum: 20, description: "How many people will come?" },
          channel: {
            type: "string",
            enum: ["phone", "text message", "e-mail"],
            description: "How should we remind you: by phone, text message or e-mail?",
          },
          email: { type: "string", format: "email", description: "What is your e-mail address?" },
          callbackAt: { type: "string", format: "date-time", description: "When the customer wants to be called back" },
        },
      },
    },
  ],
  toolIds: SYSTEM_TOOLS.filter(({ name }) => ["transfer_call", "schedule_callback"].includes(name)).map(({ id }) => id),
  transferTargets: [{ name: "front desk", destinationType: "PHONE", destination: `${US}00` }],
  voicemailConfig: { action: "LEAVE_MESSAGE", message: "Please call {{ company }} back." },
  maxDurationSeconds: 300,
};

let world: World;
const rows = new Map<string, Row>();
beforeAll(async () => {
  world = await World.start();
  const flow = await world.request("POST", "/flows", { body: FLOW });
  if (flow.status !== 200) throw new Error(flow.text);
  const numbers = [...EXPECTED.map(({ number }) => number), ...UNANSWERED.map(([number]) => number)];
  const body = {
    name: "All numbers",
    flowId: flow.body.id,
    rows: numbers.map((customerNumber) => ({ customerNumber })),
    retryConfig: { maxAttempts: 3 },
  };
  const made = await world.request("POST", "/call-jobs", { body });
  if (made.status !== 200) throw new Error(made.text);
  const path = `/call-jobs/${String(made.body.id)}`;
  await world.until(path, (job) => job.completedAt !== null);
  const page = (await world.request("GET", `${path}/rows?size=200`)).body.content as Row[];
  const found = await Promise.all(page.map(({ id }) => world.request("GET", `/call-rows/${id}`)));
  for (const { body: row } of found) rows.set(row.customerNumber as string, row as unknown as Row);
});
afterAll(() => world[Symbol.asyncDispose]());

function rowOf(number: string): Row {
  const row = rows.get(number);
  if (!row) throw new Error(`${number} has no row.`);
  return row;
}

describe("a number that is answered", () => {
  test.each(EXPECTED.map((expected) => [expected.number, expected.shows, expected] as const))(
    "%s %s",
    (
      number,
      _shows,
      { status = "COMPLETED", outcome = "ANSWERED", attempt = 1, dials = attempt, end, fields, also },
    ) => {
      const row = rowOf(number);
      const shown = row.transcript.map(({ role, content }) => `${role}: ${content}`).join("\n");
      expect
        .soft([row.status, row.outcome, row.endReason, row.attempt], shown)
        .toEqual([status, outcome, end, attempt]);
      expect.soft(row.attempts.length, shown).toBe(dials);
      expect.soft(row.extractedFields, shown).toEqual(fields ?? row.extractedFields);
      also?.(row);
    },
  );
});

test.each(UNANSWERED)("%s is not answered: %s, %s, attempts: %i", (number, status, outcome, attempts, end) => {
  const row = rowOf(number);
  expect([row.status, row.outcome, row.attempt, row.endReason]).toEqual([status, outcome, attempts, end]);
  expect([row.extractedFields, row.transcript]).toEqual([{}, []]);
});
