import { toError } from "#src/kernel/errors.ts";
import type { ToolCall, ToolOffer } from "#src/models/models.ts";
import type { SessionPorts } from "./ports.ts";

/** The tools that every session offers. */
export const SESSION_TOOLS: ToolOffer[] = [
  {
    name: "end_call",
    description: "Ends the conversation after what you say in this turn. Say goodbye in the same turn.",
    inputSchema: { type: "object", properties: { reason: { type: "string" } } },
  },
  {
    name: "add_to_do_not_call",
    description:
      "Puts the person's number on the do-not-call list. Use it whenever the person does not want to be called again.",
    inputSchema: { type: "object", properties: {} },
  },
];

/** What a tool did: its answer to the model, and what it means for the session. */
export interface ToolResult {
  content: string;
  endsCall: boolean;
  optsOut: boolean;
  error: { code: string; message: string } | null;
}

const PLAIN: ToolResult = { content: "ok", endsCall: false, optsOut: false, error: null };

/** Runs one call of a tool. Never throws: a failure is the tool's answer. */
export async function runTool(call: ToolCall, ports: SessionPorts): Promise<ToolResult> {
  if (call.name === "end_call") return { ...PLAIN, endsCall: true };
  if (call.name !== "add_to_do_not_call")
    return { ...PLAIN, content: `failed: there is no tool named ${call.name.slice(0, 100)}` };
  try {
    await ports.addToDoNotCall();
    return { ...PLAIN, content: "ok: the number is on the do-not-call list", optsOut: true };
  } catch (thrown) {
    const { message } = toError(thrown);
    const error = { code: "DO_NOT_CALL_FAILED", message: message.slice(0, 500) };
    // The person has opted out all the same; the error tells whoever reads the outcome that the list lacks it.
    return { content: "failed: the list could not be written", endsCall: false, optsOut: true, error };
  }
}
