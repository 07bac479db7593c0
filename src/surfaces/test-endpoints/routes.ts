import type { Database } from "#src/platform/db/database.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import {
  AsyncEchoAccepted,
  AsyncEchoHeaders,
  AsyncEchoQuery,
  type EchoParts,
  readParameters,
  scheduleEcho,
} from "./async-echo.ts";
import { Echo, readEchoed, toEcho } from "./echo.ts";

const PATH = "/api/external/v1/test";
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const common = {
  audience: "external",
  access: "ANY",
  tag: "Test endpoints",
  bodyKind: "ANY",
  openQuery: true,
} as const;
/** The largest body of an async echo, which is stored until it is due. */
const ASYNC_BODY_BYTES = 256 * 1024;

/** Returns the echo endpoints. */
export function testEndpointRoutes({ db }: Database, parts: EchoParts): Route[] {
  return METHODS.flatMap((method) => [
    route({
      ...common,
      method,
      path: `${PATH}/sync-echo`,
      summary: `Echo a ${method} request`,
      description: "Takes any body. Credentials in headers are masked.",
      replies: { 200: Echo },
      run: async (request) => toEcho(method, { ...request, query: request.query as Record<string, unknown> }),
    }),
    route({
      ...common,
      method,
      path: `${PATH}/async-echo`,
      summary: `Echo a ${method} request later, by a callback`,
      description:
        "delaySeconds, toolTaskId, secret and callbackUrl are taken from the query, else from the headers X-Tool-Task-Id, X-Tool-Secret and X-Callback-Url, else from the JSON body. Without a callback URL the result goes to the service's own tool-task webhook, and can be read at /tool-tasks/{toolTaskId}.",
      bodyLimit: ASYNC_BODY_BYTES,
      query: AsyncEchoQuery,
      headers: AsyncEchoHeaders,
      replies: { 202: AsyncEchoAccepted },
      run: async ({ caller, query, headers, bytes }) => {
        const echo = toEcho(method, { headers, query, bytes });
        const parameters = readParameters(query, headers, readEchoed(echo));
        return db.transaction().execute((tx) => scheduleEcho(tx, parts, caller.workspaceId, parameters, echo));
      },
    }),
  ]);
}
