import { type Caller, Reply, type Route, route, UNSETTLED } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import type { CallCommands } from "./call-commands.ts";
import type { SupervisionHub } from "./supervision-hub.ts";
import {
  AcceptedWords,
  EndedCall,
  readNote,
  SaidWords,
  type Supervised,
  Supervision,
  Whisper,
  Whispered,
} from "./supervision.ts";

const CALL_ROW = "/api/external/v1/call-rows/{rowId}";
const common = {
  audience: "external",
  access: ["CALL_JOBS_WRITE"],
  tag: "Calls",
  method: "POST",
  params: Type.Object({ rowId: Uuid }),
} as const;

/** Dependencies of the supervision routes. */
export interface SupervisionContext {
  supervision: SupervisionHub;
  callCommands: CallCommands;
}

/** Placeholder of the reply until the node that holds the call has executed the command. */
interface Pointer {
  commandId: string;
  text?: string;
}

function supervisedBy({ workspaceId, credentialId, person }: Caller, rowId: string): Supervised {
  return { workspaceId, rowId, credentialId, sessionId: person?.sessionId ?? null };
}

/** Routes that listen in on live calls, whisper to their agents, and end them (extension). */
export function supervisionRoutes({ supervision, callCommands }: SupervisionContext): Route[] {
  return [
    route({
      ...common,
      path: `${CALL_ROW}/supervise`,
      summary: "Listen in on a live call, and speak to its agent or to both (extension)",
      description:
        "The token opens the WebSocket once, within 60 seconds. 409 while the call has no live audio. Any server of the installation takes it, whichever holds the call.",
      replies: { 200: Supervision },
      run: ({ caller, params: { rowId } }) => supervision.issue(supervisedBy(caller, rowId)),
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
      async run({ tx, caller, params: { rowId }, body }) {
        const text = readNote(body.text);
        const wish = { kind: "WHISPER", words: text } as const;
        const commandId = await callCommands.accept(tx, supervisedBy(caller, rowId), wish);
        return new Reply(UNSETTLED, { commandId, text } satisfies Pointer);
      },
      async settle(pointer, { caller, params: { rowId } }) {
        const { commandId, text } = pointer as Pointer;
        await callCommands.settled(caller.workspaceId, commandId);
        return { callRowId: rowId, text };
      },
    }),
    sayRoute(callCommands),
    route({
      ...common,
      path: `${CALL_ROW}/end`,
      summary: "End a call that is ringing or under way (extension)",
      description:
        "The line is hung up without a goodbye. A conversation is COMPLETED with endReason ENDED_BY_REQUEST and its outputs are filled; a call that still rang is CANCELLED and not dialled again. 409 when the call is not live.",
      idempotent: true,
      replies: { 200: EndedCall },
      async run({ tx, caller, params: { rowId } }) {
        const commandId = await callCommands.accept(tx, supervisedBy(caller, rowId), { kind: "END" });
        return new Reply(UNSETTLED, { commandId } satisfies Pointer);
      },
      async settle(pointer, { caller, params: { rowId } }) {
        await callCommands.settled(caller.workspaceId, (pointer as Pointer).commandId);
        return { callRowId: rowId, ending: true };
      },
    }),
  ];
}

function sayRoute(callCommands: CallCommands): Route {
  return route({
    ...common,
    path: `${CALL_ROW}/say`,
    summary: "Have the agent's voice say your words to the person of a live call (extension)",
    description:
      "Said after the turn that is under way, in place of the agent's answer to what the person says meanwhile, and also while a supervisor has taken the call over. It can be interrupted like the agent. The transcript shows what was heard of it, as an ASSISTANT turn with supervisor TYPED. 200 means that the call has the words: if it ends first, they are not said. 409 when the call is over.",
    idempotent: true,
    body: SaidWords,
    replies: { 200: AcceptedWords },
    async run({ tx, caller, params: { rowId }, body }) {
      const text = readNote(body.text);
      const commandId = await callCommands.accept(tx, supervisedBy(caller, rowId), { kind: "SAY", words: text });
      return new Reply(UNSETTLED, { commandId, text } satisfies Pointer);
    },
    async settle(pointer, { caller, params: { rowId } }) {
      const { commandId, text } = pointer as Pointer;
      await callCommands.settled(caller.workspaceId, commandId);
      return { callRowId: rowId, text };
    },
  });
}
