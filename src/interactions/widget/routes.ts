import type { Database } from "#src/platform/db/database.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import {
  changeWidget,
  createWidget,
  getWidget,
  getWidgets,
  removeWidget,
  Widget,
  WidgetChange,
  WidgetInput,
} from "./widgets.ts";

const PATH = "/api/external/v1/widgets";
// A widget makes a flow public, so it takes the permissions of publishing.
const READ = ["FLOWS_READ"];
const WRITE = ["FLOWS_WRITE"];
const common = { audience: "external", tag: "Widgets" } as const;
const params = Type.Object({ id: Uuid });

/** Routes of chat windows for web pages (extension). */
export function widgetRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List chat widgets (extension)",
      replies: { 200: Type.Array(Widget) },
      run: ({ caller }) => getWidgets(db, caller.workspaceId),
    }),
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Create a chat widget (extension)",
      idempotent: true,
      body: WidgetInput,
      replies: { 200: Widget },
      run: ({ tx, caller, body }) => createWidget(tx, caller.workspaceId, body),
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{id}`,
      access: READ,
      summary: "Read a chat widget (extension)",
      params,
      replies: { 200: Widget },
      run: ({ caller, params: { id } }) => getWidget(db, caller.workspaceId, id),
    }),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/{id}`,
      access: WRITE,
      summary: "Change a chat widget; sent fields are merged (extension)",
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: WidgetChange,
      replies: { 200: Widget },
      run: ({ caller, params: { id }, query: { ifUpdatedAt }, body }) =>
        db.transaction().execute((tx) => changeWidget(tx, caller.workspaceId, id, body, ifUpdatedAt)),
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{id}`,
      access: WRITE,
      summary: "Delete a chat widget for good; its chats stay (extension)",
      params,
      replies: { 204: null },
      run: ({ caller, params: { id } }) => removeWidget(db, caller.workspaceId, id),
    }),
  ];
}
