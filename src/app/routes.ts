import { agentRoutes } from "#src/authoring/agents/routes.ts";
import { applicationRoutes } from "#src/authoring/applications/routes.ts";
import { flowRoutes } from "#src/authoring/flows/routes.ts";
import { languageModelRoutes } from "#src/authoring/language-models/routes.ts";
import { structuredOutputRoutes } from "#src/authoring/structured-outputs/routes.ts";
import { toolRoutes } from "#src/authoring/tools/routes.ts";
import { automationRoutes } from "#src/interactions/automations/routes.ts";
import { callJobRoutes } from "#src/interactions/call-jobs/routes.ts";
import { callRoutes } from "#src/interactions/calls/routes.ts";
import { chatRoutes } from "#src/interactions/chats/routes.ts";
import { contactRoutes } from "#src/interactions/contacts/routes.ts";
import { optOutReviewRoutes } from "#src/interactions/opt-out-reviews/routes.ts";
import { supervisionRoutes } from "#src/interactions/supervision/routes.ts";
import { webCallRoutes, webPhoneScriptRoute } from "#src/interactions/web-calls/routes.ts";
import { sessionWebhookRoutes } from "#src/interactions/webhooks/routes.ts";
import { widgetRoutes } from "#src/interactions/widget/routes.ts";
import { visitorRoutes } from "#src/interactions/widget/visitor-routes.ts";
import { carrierWebhookRoutes } from "#src/numbers/carrier-accounts/webhook-routes.ts";
import { phoneNumberRoutes } from "#src/numbers/phone-numbers/routes.ts";
import { CachedDocument } from "#src/platform/http/cached-document.ts";
import { buildOpenApi } from "#src/platform/http/openapi.ts";
import { Reply, type Route, route } from "#src/platform/http/route.ts";
import { anyObject, anyValue, Type } from "#src/platform/http/schemas.ts";
import { type McpParts, mcpRoutes } from "#src/surfaces/mcp/routes.ts";
import { testEndpointRoutes } from "#src/surfaces/test-endpoints/routes.ts";
import { arrivalRoutes } from "#src/surfaces/webhook-inspector/routes.ts";
import { authRoutes } from "#src/tenancy/auth/routes.ts";
import { doNotCallApiRoutes } from "#src/tenancy/compliance/routes.ts";
import { usageRoutes } from "#src/tenancy/usage/routes.ts";
import { proposalRoutes } from "#src/workbench/simulations/proposal-routes.ts";
import { rehearsalRoutes } from "#src/workbench/simulations/rehearsal-routes.ts";
import { replayRoutes } from "#src/workbench/simulations/replay-routes.ts";
import { simulationRoutes } from "#src/workbench/simulations/routes.ts";
import { transcriptionRoutes } from "#src/workbench/transcriptions/routes.ts";
import { createConsoleRoutes } from "./console.ts";
import type { Context } from "./context.ts";
import { docsRoutes } from "./docs.ts";
import { healthRoutes } from "./health.ts";
import { createMetrics } from "./metrics.ts";

/** Returns every route of the process: those of the rooms, and those about the process itself. */
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
    ...carrierWebhookRoutes({ ...context, events: context.carrierEvents }),
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

/** Receives the events of a sandbox carrier in another process. The token in the path authenticates it. */
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
