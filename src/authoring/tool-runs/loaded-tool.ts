import type { ApiBody } from "#src/authoring/tools/api-body.ts";
import type { ApiHeaders } from "#src/authoring/tools/api-headers.ts";
import type { OpenTool } from "#src/authoring/tools/open-tools.ts";
import type { GrantedTool } from "#src/engine/conversation/tool-port.ts";

/** A tool as a session has it, from its start to its end. */
export interface LoadedTool {
  /** Holds no secret. */
  grant: GrantedTool;
  /** False for one that only the steps of other tools may call: it is not told to the model, and its calls are refused. */
  isOffered: boolean;
  version: number;
  definition: OpenTool["fields"];
  /** With their real values. */
  headers: ApiHeaders;
  body: ApiBody | null;
}

/** The session that tools run for. */
export interface ToolSession {
  workspaceId: string;
  sessionId: string;
  /** Null for a flow that was given with the call. */
  flowId: string | null;
  /** Who the person is across sessions; null when nobody knows. */
  contactKey: string | null;
  channel: "VOICE" | "CHAT";
  /** BCP 47. */
  language: string;
}
