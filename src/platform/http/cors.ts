import type { FastifyReply, FastifyRequest } from "fastify";
import type { Route } from "./route.ts";

/** Lets the browser show the reply, refusals too, to a page that may call the route. */
export async function allowOrigin(declared: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!declared.cors) return;
  reply.header("vary", "Origin");
  const { origin } = request.headers;
  if (origin === undefined || !(await declared.cors(request.query, origin))) return;
  reply.header("access-control-allow-origin", origin);
  reply.header("access-control-expose-headers", "Retry-After, X-Request-Id");
}

/** Answers the preflight that a browser sends before a page may call one of these routes. */
export async function answerPreflight(
  routes: readonly Route[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const shared = routes.filter((declared) => declared.cors);
  const [declared] = shared;
  if (!declared) return;
  await allowOrigin(declared, request, reply);
  if (!reply.hasHeader("access-control-allow-origin")) return;
  reply.header("access-control-allow-methods", shared.map(({ method }) => method).join(", "));
  reply.header("access-control-allow-headers", "Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version");
  reply.header("access-control-max-age", "600");
}
