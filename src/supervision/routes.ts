import type { LiveCalls } from "#src/dispatch/live-calls.ts";
import { type Route, route } from "#src/http/route.ts";
import { Type, Uuid } from "#src/http/schemas.ts";
import type { SupervisionDesk } from "./supervision-desk.ts";
import { EndedCall, endCall, Supervision, Whisper, whisper, Whispered } from "./supervision.ts";

const CALL_ROW = "/api/external/v1/call-rows/{rowId}";
const common = {
  audience: "external",
  access: ["CALL_JOBS_WRITE"],
  tag: "Calls",
  method: "POST",
  params: Type.Object({ rowId: Uuid }),
} as const;

/** What the routes stand on. */
export interface SupervisionContext {
  supervision: SupervisionDesk;
  liveAudio: LiveCalls;
}

/** Listening in on live calls, whispering to their agents, and ending them (extension). */
export function supervisionRoutes({ supervision, liveAudio }: SupervisionContext): Route[] {
  return [
    route({
      ...common,
      path: `${CALL_ROW}/supervise`,
      summary: "Listen in on a live call, and speak to its agent or to both (extension)",
      description:
        "The token opens the WebSocket once, within 60 seconds. 409 while the call has no live audio on this server.",
      replies: { 200: Supervision },
      run: ({ caller: { workspaceId, credentialId }, params: { rowId } }) =>
        supervision.issue({ workspaceId, rowId, credentialId }),
    }),
    route({
      ...common,
      path: `${CALL_ROW}/whisper`,
      summary: "Tell the agent of a live call something that the person does not hear (extension)",
      description:
        "The agent heeds it from its next turn on. It is in the transcript as a SYSTEM turn with whisper true. 409 when the call is over.",
      idempotent: true,
      body: Whisper,
      replies: { 200: Whispered },
      run: ({ tx, caller: { workspaceId, credentialId }, params: { rowId }, body }) =>
        whisper(tx, liveAudio, { workspaceId, rowId, credentialId }, body.text),
    }),
    route({
      ...common,
      path: `${CALL_ROW}/end`,
      summary: "End a call that is ringing or under way (extension)",
      description:
        "The line is hung up without a goodbye. A conversation is COMPLETED with endReason ENDED_BY_REQUEST and its outputs are filled; a call that still rang is CANCELLED and not dialled again. 409 when the call is not live here.",
      idempotent: true,
      replies: { 200: EndedCall },
      run: ({ tx, caller: { workspaceId, credentialId }, params: { rowId } }) =>
        endCall(tx, liveAudio, { workspaceId, rowId, credentialId }),
    }),
  ];
}
