import type { ToolCall } from "#src/engine/models/models.ts";
import type { SessionState } from "./session-state.ts";
import { adoptAnswer, startToolCall, type StartedToolCall } from "./tool-calls.ts";
import type { ToolRunResult } from "./tool-port.ts";

/** Milliseconds of wall-clock time that a person who has picked up waits for a greeting. */
const LOOK_UP_MS = 1_500;

/** Tool calls that were made before the first word. */
export interface LookUps {
  /** Adds the calls and their results to the model's messages, after its instructions. */
  record(): void;
}

const NONE: LookUps = { record: () => undefined };

/**
 * Calls the plan's proactive tools before the first word, with the variables as input, so that the greeting can use
 * their results. A slow one goes on in the background. Does nothing in a chat that has already begun.
 */
export async function lookUpFirst(session: SessionState, hasBegun = false): Promise<LookUps> {
  if (hasBegun) return NONE;
  const tools = session.grants.tools.filter(({ isProactive }) => isProactive);
  if (tools.length === 0) return NONE;
  const started = tools.flatMap((tool, i): StartedToolCall[] => {
    const call: ToolCall = { id: `proactive-${i}`, name: tool.offer.name, input: {} };
    const begun = startToolCall(session, call);
    return begun ? [begun] : [];
  });
  const done = new Map<StartedToolCall, ToolRunResult>();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LOOK_UP_MS);
  });
  const all = Promise.all(started.map(async (begun) => void done.set(begun, await begun.result)));
  await Promise.race([all, late]);
  clearTimeout(timer);
  for (const result of done.values()) if (result.kind === "VALUE") Object.assign(session.variables, result.variables);
  return {
    record() {
      session.transcribed.rememberToolCalls(started.map(({ call }) => call));
      for (const begun of started) adoptAnswer(session, begun, done.get(begun));
    },
  };
}
