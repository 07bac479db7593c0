import { type ComponentType, lazy, type LazyExoticComponent } from "react";

/** A screen of a workspace: its path below /w/{workspaceId}, and the code that is loaded when it is opened. */
export interface Screen {
  path: string;
  component: LazyExoticComponent<ComponentType>;
}

function screen(path: string, load: () => Promise<ComponentType>): Screen {
  return { path, component: lazy(async () => ({ default: await load() })) };
}

/** Every screen of a workspace; the first whose path fits is shown. */
export const SCREENS: Screen[] = [
  screen("/", async () => (await import("#web/pages/home/home-page.tsx")).HomePage),
  screen("/credentials", async () => (await import("#web/pages/credentials/credentials-page.tsx")).CredentialsPage),
  screen("/calls", async () => (await import("#web/pages/calls/calls-page.tsx")).CallsPage),
  screen("/calls/:rowId", async () => (await import("#web/pages/call/call-page.tsx")).CallPage),
  screen("/settings", async () => (await import("#web/pages/settings/workspace-page.tsx")).WorkspacePage),
  screen("/settings/models", async () => (await import("#web/pages/settings/models-page.tsx")).ModelsPage),
  screen("/settings/speech", async () => (await import("#web/pages/settings/speech-page.tsx")).SpeechPage),
  screen("/settings/compliance", async () => (await import("#web/pages/settings/compliance-page.tsx")).CompliancePage),
  screen("/settings/do-not-call", async () => (await import("#web/pages/settings/do-not-call-page.tsx")).DoNotCallPage),
  screen("/settings/people", async () => (await import("#web/pages/settings/people-page.tsx")).PeoplePage),
  screen("/settings/balance", async () => (await import("#web/pages/settings/balance-page.tsx")).BalancePage),
  screen("/settings/audit", async () => (await import("#web/pages/settings/audit-page.tsx")).AuditPage),
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
];
