import { type ComponentType, lazy } from "react";
import { HomePage, loadHomeParts } from "#web/features/home/home-page.tsx";

/** A screen of a workspace: its path below /w/{workspaceId} and its component. */
export interface Screen {
  path: string;
  component: ComponentType;
  /** Fetches its code, as far as it is not part of the dashboard's first load. */
  load?: () => Promise<unknown>;
  /** Permission needed to open it; everybody may when left out. */
  permission?: string;
}

/** A screen whose code is fetched when it is opened. */
function screen(path: string, load: () => Promise<ComponentType>): Screen {
  return { path, component: lazy(async () => ({ default: await load() })), load };
}

/** All screens of a workspace; the first with a matching path is shown. */
export const SCREENS: Screen[] = [
  { path: "/", component: HomePage, load: loadHomeParts },
  {
    ...screen(
      "/credentials",
      async () => (await import("#web/features/credentials/credentials-page.tsx")).CredentialsPage,
    ),
    permission: "WORKSPACE_ADMIN",
  },
  screen("/analytics", async () => (await import("#web/features/analytics/analytics-page.tsx")).AnalyticsPage),
  screen("/calls", async () => (await import("#web/features/calls/calls-page.tsx")).CallsPage),
  screen("/tools", async () => (await import("#web/features/tools/tools-page.tsx")).ToolsPage),
  screen("/tools/:toolId", async () => (await import("#web/features/tools/tool-page.tsx")).ToolPage),
  screen("/connections", async () => (await import("#web/features/connections/connections-page.tsx")).ConnectionsPage),
  {
    ...screen(
      "/connections/callback",
      async () => (await import("#web/features/connections/callback-page.tsx")).CallbackPage,
    ),
    permission: "TOOLS_WRITE",
  },
  screen("/data", async () => (await import("#web/features/data/applications-page.tsx")).ApplicationsPage),
  screen("/data/:appId", async () => (await import("#web/features/data/application-page.tsx")).ApplicationPage),
  screen("/data/:appId/customers", async () => (await import("#web/features/data/customers-page.tsx")).CustomersPage),
  screen("/data/:appId/:storeKey", async () => (await import("#web/features/data/store-page.tsx")).StorePage),
  screen("/agents", async () => (await import("#web/features/agents/agents-page.tsx")).AgentsPage),
  screen("/agents/:agentId", async () => (await import("#web/features/agents/agent-page.tsx")).AgentPage),
  screen(
    "/transcriptions",
    async () => (await import("#web/features/transcriptions/jobs-page.tsx")).TranscriptionJobsPage,
  ),
  screen(
    "/transcriptions/:jobId",
    async () => (await import("#web/features/transcriptions/job-page.tsx")).TranscriptionJobPage,
  ),
  screen("/numbers", async () => (await import("#web/features/numbers/numbers-page.tsx")).NumbersPage),
  screen("/calls/:rowId", async () => (await import("#web/features/calls/call-page.tsx")).CallPage),
  screen(
    "/calls/:rowId/lines/:index",
    async () => (await import("#web/features/calls/sentence/sentence-page.tsx")).SentencePage,
  ),
  screen("/jobs", async () => (await import("#web/features/jobs/jobs-page.tsx")).JobsPage),
  screen("/jobs/new", async () => (await import("#web/features/jobs/new/new-job-page.tsx")).NewJobPage),
  screen("/automations", async () => (await import("#web/features/automations/automations-page.tsx")).AutomationsPage),
  screen(
    "/automations/:automationId",
    async () => (await import("#web/features/automations/automation-page.tsx")).AutomationPage,
  ),
  screen("/leads", async () => (await import("#web/features/leads/leads-page.tsx")).LeadsPage),
  screen("/leads/:sourceId", async () => (await import("#web/features/leads/lead-page.tsx")).LeadPage),
  screen("/jobs/:jobId", async () => (await import("#web/features/jobs/job/job-page.tsx")).JobPage),
  screen("/live", async () => (await import("#web/features/live/live-page.tsx")).LivePage),
  screen("/chats", async () => (await import("#web/features/chats/chats-page.tsx")).ChatsPage),
  screen("/contacts", async () => (await import("#web/features/contacts/contacts-page.tsx")).ContactsPage),
  screen("/contacts/:contactId", async () => (await import("#web/features/contacts/contact-page.tsx")).ContactPage),
  screen("/settings", async () => (await import("#web/features/settings/workspace-page.tsx")).WorkspacePage),
  screen("/settings/models", async () => (await import("#web/features/settings/models-page.tsx")).ModelsPage),
  screen("/settings/speech", async () => (await import("#web/features/settings/speech-page.tsx")).SpeechPage),
  screen(
    "/settings/compliance",
    async () => (await import("#web/features/settings/compliance-page.tsx")).CompliancePage,
  ),
  screen(
    "/settings/do-not-call",
    async () => (await import("#web/features/settings/do-not-call-page.tsx")).DoNotCallPage,
  ),
  screen(
    "/settings/opt-out-reviews",
    async () => (await import("#web/features/settings/opt-out-reviews-page.tsx")).OptOutReviewsPage,
  ),
  screen("/settings/people", async () => (await import("#web/features/settings/people-page.tsx")).PeoplePage),
  {
    ...screen("/settings/sign-on", async () => (await import("#web/features/settings/sign-on-page.tsx")).SignOnPage),
    permission: "INSTALLATION_OWNER",
  },
  screen("/settings/balance", async () => (await import("#web/features/settings/balance-page.tsx")).BalancePage),
  {
    ...screen("/settings/audit", async () => (await import("#web/features/settings/audit-page.tsx")).AuditPage),
    permission: "WORKSPACE_ADMIN",
  },
  screen("/settings/account", async () => (await import("#web/features/settings/account-page.tsx")).AccountPage),
  screen("/developers", async () => (await import("#web/features/developers/deliveries-page.tsx")).DeliveriesPage),
  screen(
    "/developers/deliveries/:deliveryId",
    async () => (await import("#web/features/developers/delivery-page.tsx")).DeliveryPage,
  ),
  screen("/developers/webhooks", async () => (await import("#web/features/developers/webhooks-page.tsx")).WebhooksPage),
  screen(
    "/developers/inspector",
    async () => (await import("#web/features/developers/inspector-page.tsx")).InspectorPage,
  ),
  screen("/developers/requests", async () => (await import("#web/features/developers/requests-page.tsx")).RequestsPage),
  screen("/developers/connect", async () => (await import("#web/features/developers/connect-page.tsx")).ConnectPage),
  screen(
    "/developers/reference",
    async () => (await import("#web/features/developers/reference-page.tsx")).ReferencePage,
  ),
  screen("/flows", async () => (await import("#web/features/flows/flows-page.tsx")).FlowsPage),
  screen("/flows/:flowId", async () => (await import("#web/features/flows/flow-page.tsx")).FlowPage),
  screen("/jobs/:jobId/:tab", async () => (await import("./tab-address.tsx")).TabAddress),
  screen("/flows/:flowId/:tab", async () => (await import("./tab-address.tsx")).TabAddress),
  screen("/outputs", async () => (await import("#web/features/outputs/outputs-page.tsx")).OutputsPage),
  screen("/outputs/:outputId", async () => (await import("#web/features/outputs/output-page.tsx")).OutputPage),
  screen("/simulations", async () => (await import("#web/features/simulations/simulations-page.tsx")).SimulationsPage),
  {
    ...screen(
      "/simulations/new",
      async () => (await import("#web/features/simulations/new-simulation-page.tsx")).NewSimulationPage,
    ),
    permission: "FLOWS_WRITE",
  },
  screen(
    "/simulations/:simulationId",
    async () => (await import("#web/features/simulations/simulation-page.tsx")).SimulationPage,
  ),
];

/** Begins to fetch the code of the screen at an address, before the session is known. */
export function loadScreenAt(path: string): void {
  const inside = /^\/w\/[^/]+(\/.*)$/.exec(path)?.[1] ?? "/";
  const found = SCREENS.find((one) => new RegExp(`^${one.path.replaceAll(/:[^/]+/g, "[^/]+")}/?$`).test(inside));
  // The screen itself reports a failure when it is shown.
  found?.load?.().catch(() => undefined);
}
