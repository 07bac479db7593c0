import { selectFlow } from "#src/authoring/flows/flows.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { readOrigins } from "#src/platform/http/origins.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { randomText, uuidv7 } from "#src/platform/kernel/id.ts";
import {
  deleteWidget,
  findWidget,
  insertWidget,
  listWidgets,
  lockWidget,
  updateWidget,
  type WidgetRow,
} from "./store.ts";

const PublicId = Type.String({ description: "Stands in the page's script tag; no secret." });
const DEFAULT_COLOR = "#2457d6";

/** A chat window for web pages (extension). */
export const Widget = Type.Object(
  {
    id: Uuid,
    publicId: PublicId,
    name: Type.String(),
    flowId: nullable({ ...Uuid, description: "Null: the workspace's default flow." }),
    allowedOrigins: Type.Array(Type.String()),
    greeting: nullable(Type.String({ description: "Null: the flow opens." })),
    themeColor: Type.String(),
    active: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "Widget" },
);

const fields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: "\\S", description: "Title of the window." }),
  flowId: Type.Optional(nullable({ ...Uuid, description: "Flow that answers. Unset: the default flow." })),
  allowedOrigins: Type.Array(Type.String({ maxLength: 300 }), {
    maxItems: 100,
    description: "Origins of the pages that may hold it, such as https://www.example.com; no wildcards.",
  }),
  greeting: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: 1_000, pattern: "\\S", description: "The agent's first words." })),
  ),
  themeColor: Type.Optional(
    nullable(Type.String({ pattern: "^#[0-9a-fA-F]{6}$", description: `Default ${DEFAULT_COLOR}.` })),
  ),
  active: Type.Optional(
    nullable(Type.Boolean({ description: "False: no new chats begin; those under way go on. Default true." })),
  ),
};

/** Body of a widget's creation. */
export const WidgetInput = Type.Object(fields, { $id: "WidgetInput" });
export type WidgetInput = Static<typeof WidgetInput>;

/** Request body of a widget's change: the fields that change. */
export const WidgetChange = Type.Partial(WidgetInput, { $id: "WidgetChange" });
export type WidgetChange = Static<typeof WidgetChange>;

/** All widgets of a workspace. */
export async function getWidgets(db: Executor, workspaceId: string) {
  return (await listWidgets(db, workspaceId)).map(toWidget);
}

/** One widget; 404 when there is none. */
export async function getWidget(db: Executor, workspaceId: string, id: string) {
  const row = await findWidget(db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toWidget(row);
}

/** Creates a widget. */
export async function createWidget(tx: Executor, workspaceId: string, input: WidgetInput) {
  const row = await insertWidget(tx, workspaceId, {
    id: uuidv7(),
    public_id: `wgt_${randomText(20)}`,
    name: input.name,
    flow_id: await readFlow(tx, workspaceId, input.flowId ?? null),
    allowed_origins: readOrigins(input.allowedOrigins, "allowedOrigins"),
    greeting: input.greeting ?? null,
    theme_color: input.themeColor ?? DEFAULT_COLOR,
    active: input.active ?? true,
  });
  return toWidget(row);
}

/** Merges the fields of the request into a widget; null clears one. */
export async function changeWidget(
  tx: Executor,
  workspaceId: string,
  id: string,
  input: WidgetChange,
  ifUpdatedAt?: string,
) {
  const row = await lockWidget(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  assertUnchanged(row.updated_at, ifUpdatedAt);
  const changed = await updateWidget(tx, workspaceId, {
    ...row,
    name: input.name ?? row.name,
    flow_id: input.flowId === undefined ? row.flow_id : await readFlow(tx, workspaceId, input.flowId),
    allowed_origins: input.allowedOrigins ? readOrigins(input.allowedOrigins, "allowedOrigins") : row.allowed_origins,
    greeting: input.greeting === undefined ? row.greeting : input.greeting,
    theme_color: input.themeColor === undefined ? row.theme_color : (input.themeColor ?? DEFAULT_COLOR),
    active: input.active === undefined ? row.active : (input.active ?? true),
  });
  return toWidget(changed);
}

/** Deletes a widget for good, with the tokens of its chats. The chats stay. */
export async function removeWidget(tx: Executor, workspaceId: string, id: string): Promise<void> {
  if (!(await deleteWidget(tx, workspaceId, id))) throw new AppError("NOT_FOUND");
}

async function readFlow(tx: Executor, workspaceId: string, flowId: string | null): Promise<string | null> {
  return flowId === null ? null : (await selectFlow(tx, workspaceId, { flowId })).flowId;
}

function toWidget(row: WidgetRow) {
  return {
    id: row.id,
    publicId: row.public_id,
    name: row.name,
    flowId: row.flow_id,
    allowedOrigins: row.allowed_origins,
    greeting: row.greeting,
    themeColor: row.theme_color,
    active: row.active,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
