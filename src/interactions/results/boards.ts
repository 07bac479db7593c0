import type { Editor } from "#src/authoring/flows/editor.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import {
  type BoardRow,
  countBoards,
  deleteBoard,
  insertBoard,
  listBoards,
  lockBoard,
  updateBoard,
} from "./board-store.ts";
import { readFilters, resultsQuery } from "./filters.ts";

/** Boards of a workspace. */
const MAX_BOARDS = 100;
/** Parts of a board, in the order of the dashboard. */
const CARDS = ["FUNNEL", "OUTCOMES", "HOURS", "FIELDS", "VERSIONS", "NUMBERS", "TOOLS"] as const;

const BoardFilters = Type.Object(resultsQuery, {
  $id: "ResultBoardFilters",
  description: "Filters of GET /results. lastDays moves with the calendar; from and to stay.",
  additionalProperties: false,
});

const fields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: "^[^\\u0000]*\\S[^\\u0000]*$" }),
  filters: BoardFilters,
  cards: Type.Array(oneOf(CARDS), {
    minItems: 1,
    maxItems: CARDS.length,
    uniqueItems: true,
    description: "In their order.",
  }),
};

/** Body of a new board. */
export const ResultBoardInput = Type.Object(fields, { $id: "ResultBoardInput" });
type ResultBoardInput = Static<typeof ResultBoardInput>;

/** Body of a change of a board. */
export const ResultBoardChange = Type.Partial(Type.Object(fields), { $id: "ResultBoardChange" });

/** A saved view of results. */
export const ResultBoard = Type.Object(
  { id: Uuid, ...fields, createdBy: nullable(Type.String()), createdAt: Timestamp, updatedAt: Timestamp },
  { $id: "ResultBoard" },
);
type ResultBoard = Static<typeof ResultBoard>;

/** Lists the boards of a workspace by name. */
export async function getBoards(db: Executor, workspaceId: string): Promise<ResultBoard[]> {
  return (await listBoards(db, workspaceId)).map(toBoard);
}

/** Makes a board; 409 when another one has the name, or there are too many. */
export async function createBoard(
  tx: Executor,
  workspaceId: string,
  body: ResultBoardInput,
  editor: Editor,
): Promise<ResultBoard> {
  const board = readBoard(workspaceId, body);
  if ((await countBoards(tx, workspaceId)) >= MAX_BOARDS) {
    throw new AppError("CONFLICT", `A workspace has at most ${MAX_BOARDS} boards. Delete one first.`);
  }
  const row = await insertBoard(tx, workspaceId, { id: uuidv7(), ...board, editor });
  if (!row) throw nameTaken(board.name);
  return toBoard(row);
}

/** Changes a board, of which fields that are not sent stay; 404 when there is none, 409 when another one has the name. */
export async function changeBoard(
  tx: Executor,
  workspaceId: string,
  id: string,
  { name, filters, cards }: Static<typeof ResultBoardChange>,
  ifUpdatedAt: string | undefined,
): Promise<ResultBoard> {
  const before = await lockBoard(tx, workspaceId, id);
  if (!before) throw new AppError("NOT_FOUND");
  assertUnchanged(before.updated_at, ifUpdatedAt);
  const board = readBoard(workspaceId, {
    name: name ?? before.name,
    filters: filters ?? before.filters,
    cards: cards ?? before.cards,
  });
  const row = await updateBoard(tx, workspaceId, id, board);
  if (!row) throw nameTaken(board.name);
  return toBoard(row);
}

/** Deletes a board; 404 when there is none. */
export async function removeBoard(db: Executor, workspaceId: string, id: string): Promise<void> {
  if (!(await deleteBoard(db, workspaceId, id))) throw new AppError("NOT_FOUND");
}

/** Checks the filters as a read of the results does, so that a stored board can be shown. */
function readBoard(workspaceId: string, { name, filters, cards }: ResultBoardInput): ResultBoardInput {
  try {
    readFilters(workspaceId, filters);
  } catch (error) {
    const [detail] = error instanceof AppError ? (error.details ?? []) : [];
    if (!detail) throw error;
    throw fieldError(`filters.${detail.path}`, detail.code, detail.message);
  }
  return { name: name.trim(), filters, cards };
}

function nameTaken(name: string): AppError {
  return new AppError("CONFLICT", `There is another board called ${name}.`);
}

function toBoard(row: BoardRow): ResultBoard {
  return {
    id: row.id,
    name: row.name,
    filters: row.filters,
    cards: row.cards,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
