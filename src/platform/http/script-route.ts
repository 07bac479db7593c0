import { Reply, type Route, route } from "./route.ts";
import { anyValue } from "./schemas.ts";

/** Declares a route that serves a script to pages of any origin; they may keep it for five minutes. */
export function scriptRoute(options: { tag: string; path: string; summary: string; script: string }): Route {
  const { tag, path, summary, script } = options;
  return route({
    audience: "public",
    access: "PUBLIC",
    tag,
    method: "GET",
    path,
    summary,
    replies: { 200: anyValue("JavaScript.") },
    run: async () =>
      new Reply(200, script, {
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": "public, max-age=300",
        "cross-origin-resource-policy": "cross-origin",
        "access-control-allow-origin": "*",
      }),
  });
}
