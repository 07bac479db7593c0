import { agentRoutes } from "#src/agents/routes.ts";
import { applicationRoutes } from "#src/applications/routes.ts";
import { authRoutes } from "#src/auth/routes.ts";
import { automationRoutes } from "#src/automations/routes.ts";
import { callJobRoutes } from "#src/call-jobs/routes.ts";
import { callRoutes } from "#src/calls/routes.ts";
import { carrierWebhookRoutes } from "#src/carrier-accounts/webhook-routes.ts";
import { chatRoutes } from "#src/chats/routes.ts";
import { doNotCallApiRoutes } from "#src/compliance/routes.ts";
import { contactRoutes } from "#src/contacts/routes.ts";
import { flowRoutes } from "#src/flows/routes.ts";
import { CachedDocument } from "#src/http/cached-document.ts";
import { buildOpenApi } from "#src/http/openapi.ts";
import { Reply, type Route, route } from "#src/http/route.ts";
import { anyObject, anyValue, Type } from "#src/http/schemas.ts";
import { languageModelRoutes } from "#src/language-models/routes.ts";
import { type McpParts, mcpRoutes } from "#src/mcp/routes.ts";
import { optOutReviewRoutes } from "#src/opt-out-reviews/routes.ts";
import { phoneNumberRoutes } from "#src/phone-numbers/routes.ts";
import { proposalRoutes } from "#src/simulations/proposal-routes.ts";
import { rehearsalRoutes } from "#src/simulations/rehearsal-routes.ts";
import { replayRoutes } from "#src/simulations/replay-routes.ts";
import { simulationRoutes } from "#src/simulations/routes.ts";
import { structuredOutputRoutes } from "#src/structured-outputs/routes.ts";
import { supervisionRoutes } from "#src/supervision/routes.ts";
import { testEndpointRoutes } from "#src/test-endpoints/routes.ts";
import { toolRoutes } from "#src/tools/routes.ts";
import { transcriptionRoutes } from "#src/transcriptions/routes.ts";
import { usageRoutes } from "#src/usage/routes.ts";
import { webCallRoutes, webPhoneScriptRoute } from "#src/web-calls/routes.ts";
import { arrivalRoutes } from "#src/webhook-inspector/routes.ts";
import { sessionWebhookRoutes } from "#src/webhooks/routes.ts";
import { widgetRoutes } from "#src/widget/routes.ts";
import { visitorRoutes } from "#src/widget/visitor-routes.ts";
import { createConsoleRoutes } from "./app-console.ts";
import { docsRoutes } from "./app-docs.ts";
import { healthRoutes } from "./app-health.ts";
import { createMetrics } from "./app-metrics.ts";
import type { Context } from "./context.ts";

/** Every route of the process: the rooms' own, and those that are about the process itself. */
export function createRoutes(context: Context, mcp: Pick<McpParts, "callApi" | "testTools">): Route[] {
  const { database } = context;
  const withModel = { ...context, scripted: context.models.scripted };
  const external = [
    ...callRoutes(database, context),
    ...supervisionRoutes(context),
    ...callJobRoutes(database, context),
    ...flowRoutes(database, context),
    ...languageModelRoutes(database, { ...context, ...context.models }),
    ...chatRoutes(database, context),
    ...contactRoutes(database),
    ...doNotCallApiRoutes(database.db),
    ...optOutReviewRoutes(database.db),
    ...widgetRoutes(database),
    ...webCallRoutes(database, context),
    ...toolRoutes(database, context),
    ...testEndpointRoutes(database, context),
    ...structuredOutputRoutes(database),
    ...phoneNumberRoutes(database, context),
    ...agentRoutes(database, context),
    ...applicationRoutes(database),
    ...transcriptionRoutes(database, context),
    ...usageRoutes(database),
    ...automationRoutes(database, context),
    ...sessionWebhookRoutes(database, context),
    ...simulationRoutes(database, context),
    ...replayRoutes(context),
    ...proposalRoutes(database, withModel),
    ...rehearsalRoutes(database, withModel),
  ];
  const auth = authRoutes(database.db, context.publicUrl);
  const document = buildOpenApi([...auth, ...external], context.publicUrl);
  const docs = docsRoutes(external, context.publicUrl);
  const mcpServer = mcpRoutes(external, { ...context, ...mcp });
  return [
    ...auth,
    ...external,
    ...mcpServer,
    ...docs,
    ...createConsoleRoutes(context, external),
    ...visitorRoutes(database, context),
    webPhoneScriptRoute(),
    ...processRoutes(context, document),
    carrierEventsRoute(context),
    ...arrivalRoutes(database.db),
    ...carrierWebhookRoutes({ ...context, news: context.carrierNews }),
  ];
}

const open = { audience: "public", access: "PUBLIC", tag: "Service", free: true } as const;

function processRoutes(context: Context, document: Record<string, unknown>): Route[] {
  const metrics = createMetrics(context);
  const type = { "content-type": "application/json; charset=utf-8" };
  const cached = new CachedDocument(() => JSON.stringify(document), type);
  return [
    ...healthRoutes(context),
    route({
      ...open,
      method: "GET",
      path: "/metrics",
      summary: "Prometheus metrics",
      replies: { 200: anyValue("text/plain") },
      run: async () => new Reply(200, await metrics.metrics(), { "content-type": metrics.contentType }),
    }),
    route({
      ...open,
      method: "GET",
      path: "/openapi.json",
      summary: "This document",
      replies: { 200: anyObject("OpenAPI 3.1.") },
      run: async ({ headers }) => cached.answer(headers),
    }),
  ];
}

/** Where a sandbox carrier in another process reports; the token in the path keeps others out. */
function carrierEventsRoute(context: Context): Route {
  return route({
    audience: "public",
    access: "PUBLIC",
    tag: "Carriers",
    method: "POST",
    path: "/api/webhooks/carriers/sandbox/{token}",
    summary: "Events of a sandbox carrier in its own process",
    free: true,
    params: Type.Object({ token: Type.String({ maxLength: 100 }) }),
    body: anyObject("One carrier event."),
    replies: { 204: null },
    async run({ params, body }) {
      await context.receiveSandboxEvent(params.token, body);
    },
  });
}
