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
  screen("/flows", async () => (await import("#web/pages/flows/flows-page.tsx")).FlowsPage),
  screen("/flows/:flowId", async () => (await import("#web/pages/flow/flow-page.tsx")).FlowPage),
  screen("/outputs", async () => (await import("#web/pages/outputs/outputs-page.tsx")).OutputsPage),
  screen("/outputs/:outputId", async () => (await import("#web/pages/outputs/output-page.tsx")).OutputPage),
  screen("/simulations", async () => (await import("#web/pages/simulations/simulations-page.tsx")).SimulationsPage),
  screen(
    "/simulations/new",
    async () => (await import("#web/pages/simulations/new-simulation-page.tsx")).NewSimulationPage,
  ),
  screen(
    "/simulations/:simulationId",
    async () => (await import("#web/pages/simulations/simulation-page.tsx")).SimulationPage,
  ),
];
