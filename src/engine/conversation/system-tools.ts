import type { ToolCall } from "#src/engine/models/models.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { describeRequest } from "./handoff.ts";
import type { Citation } from "./plan.ts";
import { ServiceError, type SessionServices } from "./services.ts";
import type { SystemAnswer, SessionState } from "./session-state.ts";
import { handOver } from "./transfer.ts";

type Input = Record<string, unknown>;
type SystemTool = (session: SessionState, input: Input) => Promise<SystemAnswer>;

const MAX_DIGITS = 32;
const MAX_MESSAGE_CHARACTERS = 1_600;
const MAX_QUERY_CHARACTERS = 1_000;

/** Implementations of the system tools, by name. */
const SYSTEM_TOOLS: Record<string, SystemTool> = {
  end_call: async () => ({ content: "ok", end: "AGENT_ENDED_CALL" }),
  add_to_do_not_call: addToDoNotCall,
  transfer_call: transferCall,
  request_human: requestHuman,
  send_dtmf: sendDigits,
  send_message: (session, input) => {
    const text = readText(input, "text", MAX_MESSAGE_CHARACTERS);
    const channel = input.channel ?? "SMS";
    if (channel !== "SMS" && channel !== "WHATSAPP") throw new ServiceError("INPUT", "channel is SMS or WHATSAPP.");
    return answer(servicesOf(session).sendMessage({ channel, text }));
  },
  schedule_callback: (session, input) => {
    const note = typeof input.note === "string" ? input.note.slice(0, MAX_MESSAGE_CHARACTERS) : "";
    return answer(servicesOf(session).scheduleCallback({ at: readText(input, "at", 100), note }));
  },
  search_knowledge: searchKnowledge,
  read_record: (session, input) => {
    const recordId = typeof input.recordId === "string" && input.recordId !== "" ? input.recordId : null;
    return answer(servicesOf(session).readRecord({ storeKey: readText(input, "storeKey", 200), recordId }));
  },
  write_record: (session, input) => {
    const { fields } = input;
    if (fields === null || typeof fields !== "object" || Array.isArray(fields))
      throw new ServiceError("INPUT", "fields must be an object.");
    const recordId = typeof input.recordId === "string" && input.recordId !== "" ? input.recordId : null;
    const record = { storeKey: readText(input, "storeKey", 200), recordId, fields: fields as Record<string, unknown> };
    return answer(servicesOf(session).writeRecord(record));
  },
  leave_voicemail: leaveVoicemail,
};

/** True for a system tool that this session has. */
export function isSystemTool(session: SessionState, name: string): boolean {
  return Object.hasOwn(SYSTEM_TOOLS, name) && session.offers.some((offer) => offer.name === name);
}

/** Runs a system tool of the session. A failure becomes the tool's answer; throws only when the session stops. */
export async function runSystemTool(session: SessionState, call: ToolCall): Promise<SystemAnswer> {
  try {
    return await (SYSTEM_TOOLS[call.name] as SystemTool)(session, call.input);
  } catch (thrown) {
    if (session.signal.aborted) throw thrown;
    const { message } = toError(thrown);
    // Internal faults go to the session's outcome, not to the person on the line.
    if (thrown instanceof ServiceError) return { content: `failed: ${message}`, end: null };
    session.notedError ??= { code: "SYSTEM_TOOL_FAILED", message: `${call.name}: ${message}`.slice(0, 500) };
    return { content: "failed: this cannot be done right now", end: null };
  }
}

async function answer(work: Promise<string>): Promise<SystemAnswer> {
  return { content: await work, end: null };
}

function servicesOf(session: SessionState): SessionServices {
  const { services } = session.ports;
  if (!services) throw new ServiceError("UNAVAILABLE", "this session has no such service");
  return services;
}

function readText(input: Input, name: string, maxLength: number): string {
  const value = input[name];
  if (typeof value !== "string" || value.trim() === "") throw new ServiceError("INPUT", `${name} is required.`);
  if (value.length > maxLength) throw new ServiceError("INPUT", `${name} is longer than ${maxLength} characters.`);
  return value.trim();
}

async function addToDoNotCall(session: SessionState): Promise<SystemAnswer> {
  // The opt-out stands even when the list cannot be written; the outcome then carries the error.
  session.optedOut = true;
  try {
    await session.ports.addToDoNotCall();
    return { content: "ok: the number is on the do-not-call list", end: null };
  } catch (thrown) {
    session.notedError ??= { code: "DO_NOT_CALL_FAILED", message: toError(thrown).message.slice(0, 500) };
    return { content: "failed: the list could not be written", end: null };
  }
}

/** Requests a human. A chat then waits for an operator; a call stores the request at once, and again with its end. */
async function requestHuman(session: SessionState): Promise<SystemAnswer> {
  session.wantsHuman = true;
  if (session.plan.channel === "CHAT") return { content: describeRequest(session), end: null };
  session.isCallBackUntold = true;
  try {
    await session.ports.noteHumanRequest?.();
  } catch (thrown) {
    session.notedError ??= { code: "HUMAN_REQUEST_NOT_ANNOUNCED", message: toError(thrown).message.slice(0, 500) };
  }
  return { content: "ok: it is noted; say that somebody will call the person back", end: null };
}

/** Transfers the call to a target that the model names; the plan decides where that leads. */
async function transferCall(session: SessionState, input: Input): Promise<SystemAnswer> {
  const name = readText(input, "target", 200).toLowerCase();
  const target = session.grants.transferTargets.find((one) => one.name.toLowerCase() === name);
  if (target) return handOver(session, target.order, target.wantsSummary);
  const known = session.grants.transferTargets.map((one) => one.name).join(", ") || "none";
  throw new ServiceError("TARGET", `there is no such target. Targets: ${known}.`);
}

async function sendDigits(session: SessionState, input: Input): Promise<SystemAnswer> {
  const digits = readText(input, "digits", MAX_DIGITS);
  if (!/^[0-9*#]+$/.test(digits)) throw new ServiceError("INPUT", "digits are 0-9, * and #.");
  await session.transcribed.press(digits);
  return { content: "ok", end: null };
}

async function searchKnowledge(session: SessionState, input: Input): Promise<SystemAnswer> {
  const query = readText(input, "query", 100_000).slice(0, MAX_QUERY_CHARACTERS);
  const passages = await servicesOf(session).searchKnowledge(query);
  const cite = ({ itemId, title, position, headings, page }: Citation): Citation => ({
    itemId,
    title,
    position,
    headings,
    page,
  });
  session.citations.push(...passages.map(cite));
  if (passages.length === 0) return { content: "nothing found", end: null };
  const best = Math.max(...passages.map(({ score = 0 }) => score));
  const found = passages.map(({ title, headings, text, score }) => ({
    title,
    headings,
    text,
    // Share of the best passage's score, because scores of two searches cannot be compared.
    ...(score === undefined || best <= 0 ? {} : { score: Math.round((100 * score) / best) / 100 }),
  }));
  return { content: JSON.stringify(found), end: null };
}

async function leaveVoicemail(session: SessionState): Promise<SystemAnswer> {
  if (session.voicemailMessage === "") throw new ServiceError("NO_MESSAGE", "the flow has no voicemail message.");
  const spoken = await session.transcribed.say(session.voicemailMessage);
  return { content: "ok", end: spoken.heard === "" ? "AGENT_HUNG_UP_ON_MACHINE" : "AGENT_LEFT_VOICEMAIL" };
}
