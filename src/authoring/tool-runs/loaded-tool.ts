import type { ApiBody } from "#src/authoring/tools/api-body.ts";
import type { ApiHeaders } from "#src/authoring/tools/api-headers.ts";
import type { OpenTool } from "#src/authoring/tools/open-tools.ts";
import type { GrantedTool } from "#src/engine/conversation/tool-port.ts";

/** A tool as a session holds it, from its start to its end. */
export interface LoadedTool {
  /** Holds no secret. */
  grant: GrantedTool;
  /** False for a tool that only steps of other tools may call: the model does not get it, and its calls are refused. */
  isOffered: boolean;
  version: number;
  definition: OpenTool["fields"];
  /** Headers with their real values. */
  headers: ApiHeaders;
  body: ApiBody | null;
}

/** The session that tools run for. */
export interface ToolSession {
  workspaceId: string;
  sessionId: string;
  /** Null for a flow that was given with the call. */
  flowId: string | null;
  /** Key of the person across sessions; null when the person is unknown. */
  contactKey: string | null;
  channel: "VOICE" | "CHAT";
  /** BCP 47. */
  language: string;
}
