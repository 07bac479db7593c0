import { CALL_ACTIONS } from "./call-actions.ts";
import { EVENT_ACTIONS } from "./event-actions.ts";
import { FLOW_ACTIONS } from "./flow-actions.ts";
import { WORKSPACE_ACTIONS } from "./workspace-actions.ts";

const WORDS: Record<string, string> = { ...FLOW_ACTIONS, ...CALL_ACTIONS, ...WORKSPACE_ACTIONS, ...EVENT_ACTIONS };

/** Returns an action of the audit log in words; null for one that this version does not know. */
export function findActionWords(action: string): string | null {
  return WORDS[action] ?? null;
}
