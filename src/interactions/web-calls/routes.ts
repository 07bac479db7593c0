import { readFileSync } from "node:fs";
import type { Database } from "#src/platform/db/database.ts";
import { EXACT_CONTEXT } from "#src/platform/http/json.ts";
import { EXTERNAL_API, type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { scriptRoute } from "#src/platform/http/script-route.ts";
import { createWebCall, WebCall, WebCallInput } from "./web-calls.ts";
import { createWebPhone, getWebPhones, NewWebPhone, removeWebPhone, WebPhone, WebPhoneInput } from "./web-phones.ts";

/** Script for the page and for the worklet that it loads, without indentation and full-line comments. */
const SCRIPT = ["./page/phone-audio.js", "./page/web-phone.js"]
  .map((name) => readFileSync(new URL(name, import.meta.url), "utf8"))
  .join("")
  .replaceAll(/^\s+/gm, "")
  .replaceAll(/^(\/\/|\/\*\*).*\n/gm, "");
const common = { audience: "external", access: ["OUTBOUND_CALLS_TRIGGER"], tag: "Web phone" } as const;

/** Dependencies of the web phone routes besides the database. */
export interface WebCallContext {
  publicUrl: string;
  /** Notifies the pages of this process of a new ring. */
  ringPages: () => void;
}

/** Routes of calls over the web (extension). */
export function webCallRoutes({ db }: Database, { publicUrl, ringPages }: WebCallContext): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: `${EXTERNAL_API}/web-calls`,
      summary: "Make a call over the web, or ring a page (extension)",
      description: "The call is a call row; it begins when its page opens the WebSocket, or accepts the ring.",
      idempotent: true,
      showsSecret: true,
      body: WebCallInput,
      exactText: EXACT_CONTEXT,
      replies: { 200: WebCall },
      run: ({ tx, caller, body, bodyText }) => createWebCall(tx, publicUrl, caller.workspaceId, body, bodyText),
      afterCommit: ringPages,
    }),
    route({
      ...common,
      method: "POST",
      path: `${EXTERNAL_API}/web-phones`,
      summary: "Make a token with which a page waits to be rung (extension)",
      idempotent: true,
      showsSecret: true,
      body: WebPhoneInput,
      replies: { 200: NewWebPhone },
      run: ({ tx, caller, body }) => createWebPhone(tx, publicUrl, caller.workspaceId, body),
    }),
    route({
      ...common,
      method: "GET",
      path: `${EXTERNAL_API}/web-phones`,
      summary: "List the pages that may be rung (extension)",
      replies: { 200: Type.Array(WebPhone) },
      run: ({ caller }) => getWebPhones(db, caller.workspaceId),
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${EXTERNAL_API}/web-phones/{id}`,
      summary: "Make the token of a page worthless (extension)",
      params: Type.Object({ id: Uuid }),
      replies: { 204: null },
      async run({ caller, params: { id } }) {
        await removeWebPhone(db, caller.workspaceId, id);
      },
      afterCommit: ringPages,
    }),
  ];
}

/** Route of the web phone's script, for pages of any origin. */
export function webPhoneScriptRoute(): Route {
  const summary = "The script of the web phone";
  return scriptRoute({ tag: "Web phone", path: "/web-phone.js", summary, script: SCRIPT });
}
