import { type ComponentType, lazy } from "react";
import { HomePage } from "#web/pages/home/home-page.tsx";

/** A screen of a workspace: its path below /w/{workspaceId}, and what shows it. */
export interface Screen {
  path: string;
  component: ComponentType;
  /** Fetches its code; undefined where that is part of the dashboard's first load. */
  load?: () => Promise<unknown>;
  /** Who may open it; everybody when left out. */
  permission?: string;
}

/** A screen whose code is fetched when it is opened. */
function screen(path: string, load: () => Promise<ComponentType>): Screen {
  return { path, component: lazy(async () => ({ default: await load() })), load };
}

/** Every screen of a workspace; the first whose path fits is shown. */
export const SCREENS: Screen[] = [
  { path: "/", component: HomePage },
  {
    ...screen(
      "/credentials",
      async () => (await import("#web/pages/credentials/credentials-page.tsx")).CredentialsPage,
    ),
    permission: "WORKSPACE_ADMIN",
  },
  screen("/calls", async () => (await import("#web/pages/calls/calls-page.tsx")).CallsPage),
  screen("/tools", async () => (await import("#web/pages/tools/tools-page.tsx")).ToolsPage),
  screen("/tools/:toolId", async () => (await import("#web/pages/tools/tool-page.tsx")).ToolPage),
  screen("/data", async () => (await import("#web/pages/data/applications-page.tsx")).ApplicationsPage),
  screen("/data/:appId", async () => (await import("#web/pages/data/application-page.tsx")).ApplicationPage),
  screen("/data/:appId/customers", async () => (await import("#web/pages/data/customers-page.tsx")).CustomersPage),
  screen("/data/:appId/:storeKey", async () => (await import("#web/pages/data/store-page.tsx")).StorePage),
  screen("/agents", async () => (await import("#web/pages/agents/agents-page.tsx")).AgentsPage),
  screen("/agents/:agentId", async () => (await import("#web/pages/agents/agent-page.tsx")).AgentPage),
  screen(
    "/transcriptions",
    async () => (await import("#web/pages/transcriptions/jobs-page.tsx")).TranscriptionJobsPage,
  ),
  screen(
    "/transcriptions/:jobId",
    async () => (await import("#web/pages/transcriptions/job-page.tsx")).TranscriptionJobPage,
  ),
  screen("/numbers", async () => (await import("#web/pages/numbers/numbers-page.tsx")).NumbersPage),
  screen("/calls/:rowId", async () => (await import("#web/pages/call/call-page.tsx")).CallPage),
  screen("/jobs", async () => (await import("#web/pages/jobs/jobs-page.tsx")).JobsPage),
  screen("/jobs/new", async () => (await import("#web/pages/new-job/new-job-page.tsx")).NewJobPage),
  screen("/automations", async () => (await import("#web/pages/automations/automations-page.tsx")).AutomationsPage),
  screen(
    "/automations/:automationId",
    async () => (await import("#web/pages/automation/automation-page.tsx")).AutomationPage,
  ),
  screen("/jobs/:jobId", async () => (await import("#web/pages/job/job-page.tsx")).JobPage),
  screen("/live", async () => (await import("#web/pages/live/live-page.tsx")).LivePage),
  screen("/chats", async () => (await import("#web/pages/chats/chats-page.tsx")).ChatsPage),
  screen("/contacts", async () => (await import("#web/pages/contacts/contacts-page.tsx")).ContactsPage),
  screen("/contacts/:contactId", async () => (await import("#web/pages/contacts/contact-page.tsx")).ContactPage),
  screen("/settings", async () => (await import("#web/pages/settings/workspace-page.tsx")).WorkspacePage),
  screen("/settings/models", async () => (await import("#web/pages/settings/models-page.tsx")).ModelsPage),
  screen("/settings/speech", async () => (await import("#web/pages/settings/speech-page.tsx")).SpeechPage),
  screen("/settings/compliance", async () => (await import("#web/pages/settings/compliance-page.tsx")).CompliancePage),
  screen("/settings/do-not-call", async () => (await import("#web/pages/settings/do-not-call-page.tsx")).DoNotCallPage),
  screen(
    "/settings/opt-out-reviews",
    async () => (await import("#web/pages/settings/opt-out-reviews-page.tsx")).OptOutReviewsPage,
  ),
  screen("/settings/people", async () => (await import("#web/pages/settings/people-page.tsx")).PeoplePage),
  screen("/settings/balance", async () => (await import("#web/pages/settings/balance-page.tsx")).BalancePage),
  {
    ...screen("/settings/audit", async () => (await import("#web/pages/settings/audit-page.tsx")).AuditPage),
    permission: "WORKSPACE_ADMIN",
  },
  screen("/settings/account", async () => (await import("#web/pages/settings/account-page.tsx")).AccountPage),
  screen("/developers", async () => (await import("#web/pages/developers/deliveries-page.tsx")).DeliveriesPage),
  screen(
    "/developers/deliveries/:deliveryId",
    async () => (await import("#web/pages/developers/delivery-page.tsx")).DeliveryPage,
  ),
  screen("/developers/webhooks", async () => (await import("#web/pages/developers/webhooks-page.tsx")).WebhooksPage),
  screen("/developers/inspector", async () => (await import("#web/pages/developers/inspector-page.tsx")).InspectorPage),
  screen("/developers/requests", async () => (await import("#web/pages/developers/requests-page.tsx")).RequestsPage),
  screen("/developers/connect", async () => (await import("#web/pages/developers/connect-page.tsx")).ConnectPage),
  screen("/developers/reference", async () => (await import("#web/pages/developers/reference-page.tsx")).ReferencePage),
  screen("/flows", async () => (await import("#web/pages/flows/flows-page.tsx")).FlowsPage),
  screen("/flows/:flowId", async () => (await import("#web/pages/flow/flow-page.tsx")).FlowPage),
  screen("/outputs", async () => (await import("#web/pages/outputs/outputs-page.tsx")).OutputsPage),
  screen("/outputs/:outputId", async () => (await import("#web/pages/outputs/output-page.tsx")).OutputPage),
  screen("/simulations", async () => (await import("#web/pages/simulations/simulations-page.tsx")).SimulationsPage),
  {
    ...screen(
      "/simulations/new",
      async () => (await import("#web/pages/simulations/new-simulation-page.tsx")).NewSimulationPage,
    ),
    permission: "FLOWS_WRITE",
  },
  screen(
    "/simulations/:simulationId",
    async () => (await import("#web/pages/simulations/simulation-page.tsx")).SimulationPage,
  ),
];

/** Begins to fetch the code of the screen at an address, before it is known who looks. */
export function loadScreenAt(path: string): void {
  const inside = /^\/w\/[^/]+(\/.*)$/.exec(path)?.[1] ?? "/";
  const found = SCREENS.find((one) => new RegExp(`^${one.path.replaceAll(/:[^/]+/g, "[^/]+")}/?$`).test(inside));
  // A failure is told where the screen is shown.
  found?.load?.().catch(() => undefined);
}
