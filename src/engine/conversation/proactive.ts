import type { ToolCall } from "#src/engine/models/models.ts";
import type { SessionState } from "./session-state.ts";
import { adoptAnswer, startCall, type StartedCall } from "./tool-calls.ts";
import type { ToolRunResult } from "./tool-port.ts";

/** The person has picked up: longer than this nobody waits for a greeting. Wall-clock milliseconds. */
const LOOK_UP_MS = 1_500;

/** Look-ups that were made before the first word. */
export interface LookUps {
  /** Tells the model of them, once its instructions stand. */
  record(): void;
}

const NONE: LookUps = { record: () => undefined };

/**
 * Calls the plan's proactive tools before the first word, with what the variables give, so that the greeting can use
 * what they find; nothing in a talk that has begun before. One that takes too long goes on beside the talk.
 */
export async function lookUpFirst(session: SessionState, hasBegun = false): Promise<LookUps> {
  if (hasBegun) return NONE;
  const tools = session.grants.tools.filter(({ isProactive }) => isProactive);
  if (tools.length === 0) return NONE;
  const started = tools.flatMap((tool, i): StartedCall[] => {
    const call: ToolCall = { id: `proactive-${i}`, name: tool.offer.name, input: {} };
    const begun = startCall(session, call);
    return begun ? [begun] : [];
  });
  const done = new Map<StartedCall, ToolRunResult>();
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
      session.transcribed.rememberCalls(started.map(({ call }) => call));
      for (const begun of started) adoptAnswer(session, begun, done.get(begun));
    },
  };
}
