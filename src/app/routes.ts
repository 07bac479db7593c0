import { type AgentContext, agentRoutes } from "#src/authoring/agents/routes.ts";
import { applicationRoutes } from "#src/authoring/applications/routes.ts";
import { connectionRoutes } from "#src/authoring/connections/routes.ts";
import type { SignInParts } from "#src/authoring/connections/sign-in.ts";
import { flowTemplateRoutes } from "#src/authoring/flow-templates/routes.ts";
import { flowRoutes } from "#src/authoring/flows/routes.ts";
import { languageModelRoutes } from "#src/authoring/language-models/routes.ts";
import { flowPromptRoutes } from "#src/authoring/session-plans/prompt-routes.ts";
import { structuredOutputRoutes } from "#src/authoring/structured-outputs/routes.ts";
import { toolPackRoutes } from "#src/authoring/tool-packs/routes.ts";
import { toolRoutes } from "#src/authoring/tools/routes.ts";
import { automationRoutes } from "#src/interactions/automations/routes.ts";
import { callJobRoutes, type JobContext } from "#src/interactions/call-jobs/routes.ts";
import type { CallContext } from "#src/interactions/calls/calls.ts";
import type { RecordingContext } from "#src/interactions/calls/recording-routes.ts";
import { callRoutes } from "#src/interactions/calls/routes.ts";
import { type ChatRouteContext, chatRoutes } from "#src/interactions/chats/routes.ts";
import { contactRoutes } from "#src/interactions/contacts/routes.ts";
import { leadArrivalRoute, type LeadSourceContext, leadSourceRoutes } from "#src/interactions/lead-sources/routes.ts";
import { optOutReviewRoutes } from "#src/interactions/opt-out-reviews/routes.ts";
import { boardRoutes } from "#src/interactions/results/board-routes.ts";
import { resultRoutes } from "#src/interactions/results/routes.ts";
import { type SupervisionContext, supervisionRoutes } from "#src/interactions/supervision/routes.ts";
import { type WebCallContext, webCallRoutes, webPhoneScriptRoute } from "#src/interactions/web-calls/routes.ts";
import { sessionWebhookRoutes } from "#src/interactions/webhooks/routes.ts";
import { widgetRoutes } from "#src/interactions/widget/routes.ts";
import { visitorRoutes } from "#src/interactions/widget/visitor-routes.ts";
import { carrierWebhookRoutes, type WebhookParts } from "#src/numbers/carrier-accounts/webhook-routes.ts";
import { phoneNumberRoutes } from "#src/numbers/phone-numbers/routes.ts";
import type { Database } from "#src/platform/db/database.ts";
import { CachedDocument } from "#src/platform/http/cached-document.ts";
import { buildOpenApi } from "#src/platform/http/openapi.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { anyObject } from "#src/platform/http/schemas.ts";
import { signOnRoutes } from "#src/surfaces/console/sign-on-routes.ts";
import { type McpParts, mcpRoutes } from "#src/surfaces/mcp/routes.ts";
import { testEndpointRoutes } from "#src/surfaces/test-endpoints/routes.ts";
import { arrivalRoutes, inspectorAddressRoute } from "#src/surfaces/webhook-inspector/routes.ts";
import type { RefusedUse } from "#src/tenancy/auth/refused-uses.ts";
import { authRoutes } from "#src/tenancy/auth/routes.ts";
import { doNotCallApiRoutes } from "#src/tenancy/compliance/routes.ts";
import { scimRoutes } from "#src/tenancy/sign-on/scim-routes.ts";
import { usageRoutes } from "#src/tenancy/usage/routes.ts";
import { proposalRoutes } from "#src/workbench/simulations/proposal-routes.ts";
import { rehearsalRoutes } from "#src/workbench/simulations/rehearsal-routes.ts";
import { replayRoutes } from "#src/workbench/simulations/replay-routes.ts";
import { simulationRoutes } from "#src/workbench/simulations/routes.ts";
import type { RunParts } from "#src/workbench/simulations/runs.ts";
import { type TranscriptionContext, transcriptionRoutes } from "#src/workbench/transcriptions/routes.ts";
import { readDocumentParts } from "./api-document.ts";
import type { AccountParts } from "./carrier-accounts.ts";
import { type ConsoleParts, createConsoleRoutes } from "./console.ts";
import { docsRoutes } from "./docs.ts";
import { type HealthParts, healthRoutes } from "./health.ts";
import { type MetricsParts, metricsRoute } from "./metrics/metrics-route.ts";
import type { Models } from "./models.ts";
import type { SandboxEvents } from "./sandbox-events.ts";

/** Dependencies of the API's routes, as the rooms declare them. */
interface ApiParts
  extends
    CallContext,
    RecordingContext,
    SupervisionContext,
    JobContext,
    LeadSourceContext,
    ChatRouteContext,
    WebCallContext,
    AgentContext,
    TranscriptionContext,
    RunParts,
    SignInParts,
    Models,
    Pick<AccountParts, "accounts"> {}

/** Dependencies of every route: those of the API, the dashboard, the carriers and the process itself. */
export type RouteParts = ApiParts &
  ConsoleParts &
  HealthParts &
  MetricsParts &
  WebhookParts &
  Pick<SandboxEvents, "eventsRoute">;

/** Returns every route of the process: those of the rooms, and those about the process itself. */
export function createRoutes(
  context: RouteParts,
  mcp: Pick<McpParts, "callApi" | "readCaller" | "testTools">,
  onRefused: (use: RefusedUse) => void,
): Route[] {
  const database = context.databases.requests;
  const external = apiRoutes(database, context);
  const auth = authRoutes(database.db, context.publicUrl, onRefused);
  const describe = () => buildOpenApi([...auth, ...external], context.publicUrl, readDocumentParts());
  const docs = docsRoutes(external, context.publicUrl);
  const mcpServer = mcpRoutes(external, { ...context, ...mcp });
  return [
    ...auth,
    ...external,
    ...mcpServer,
    ...docs,
    ...createConsoleRoutes(database, context, external),
    ...signOnRoutes(context),
    ...scimRoutes(database.db, context.publicUrl),
    ...visitorRoutes(database, context),
    webPhoneScriptRoute(),
    ...processRoutes(context, describe),
    context.eventsRoute,
    ...arrivalRoutes(database.db),
    leadArrivalRoute(database, context),
    ...carrierWebhookRoutes(context),
  ];
}

function apiRoutes(database: Database, context: ApiParts): Route[] {
  const withModel = { ...context, scripted: context.models.scripted };
  return [
    ...callRoutes(database, context),
    ...supervisionRoutes(context),
    ...callJobRoutes(database, context),
    ...resultRoutes(database, context),
    ...boardRoutes(database),
    ...leadSourceRoutes(database, context),
    ...flowRoutes(database, context),
    ...flowPromptRoutes(database, context),
    ...flowTemplateRoutes(),
    ...languageModelRoutes(database, { ...context, ...context.models }),
    ...chatRoutes(database, context),
    ...contactRoutes(database),
    ...doNotCallApiRoutes(database.db),
    ...optOutReviewRoutes(database.db),
    ...widgetRoutes(database),
    ...webCallRoutes(database, context),
    ...toolRoutes(database, context),
    ...connectionRoutes(database, context),
    ...toolPackRoutes(context),
    ...testEndpointRoutes(database, context),
    ...structuredOutputRoutes(database),
    ...phoneNumberRoutes(database, context),
    ...agentRoutes(database, context),
    ...applicationRoutes(database),
    ...transcriptionRoutes(database, context),
    ...usageRoutes(database),
    ...automationRoutes(database, context),
    ...sessionWebhookRoutes(database, context),
    inspectorAddressRoute(database.db, context.publicUrl),
    ...simulationRoutes(database, context),
    ...replayRoutes(context),
    ...proposalRoutes(database, withModel),
    ...rehearsalRoutes(database, withModel),
  ];
}

const open = { audience: "public", access: "PUBLIC", tag: "Service", free: true } as const;

function processRoutes(context: HealthParts & MetricsParts, describe: () => Record<string, unknown>): Route[] {
  const type = { "content-type": "application/json; charset=utf-8" };
  const cached = new CachedDocument(() => JSON.stringify(describe()), type);
  return [
    ...healthRoutes(context),
    metricsRoute(context),
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
