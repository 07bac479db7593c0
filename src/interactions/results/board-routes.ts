import { editorOf } from "#src/authoring/flows/editor.ts";
import type { Database } from "#src/platform/db/database.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import {
  changeBoard,
  createBoard,
  getBoards,
  removeBoard,
  ResultBoard,
  ResultBoardChange,
  ResultBoardInput,
} from "./boards.ts";

const PATH = "/api/external/v1/results/boards";
const READ = ["CALL_HISTORY_READ"];
// Who runs calls, and who writes flows, look at their results.
const WRITE = ["CALL_JOBS_WRITE", "FLOWS_WRITE"];
const common = { audience: "external", tag: "Results" } as const;
const params = Type.Object({ boardId: Uuid });

/** Routes of saved views of results; all extensions. */
export function boardRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List saved boards of results (extension)",
      replies: { 200: Type.Array(ResultBoard) },
      run: ({ caller }) => getBoards(db, caller.workspaceId),
    }),
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Save a board of results (extension)",
      idempotent: true,
      body: ResultBoardInput,
      replies: { 200: ResultBoard },
      run: ({ caller, body, tx }) => createBoard(tx, caller.workspaceId, body, editorOf(caller)),
    }),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/{boardId}`,
      access: WRITE,
      summary: "Change a board of results; sent fields are merged (extension)",
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: ResultBoardChange,
      replies: { 200: ResultBoard },
      run: ({ caller, params: { boardId }, query: { ifUpdatedAt }, body }) =>
        db.transaction().execute((tx) => changeBoard(tx, caller.workspaceId, boardId, body, ifUpdatedAt)),
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{boardId}`,
      access: WRITE,
      summary: "Delete a board of results (extension)",
      params,
      replies: { 204: null },
      run: ({ caller, params: { boardId } }) => removeBoard(db, caller.workspaceId, boardId),
    }),
  ];
}
