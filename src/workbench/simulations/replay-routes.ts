import { type Route, route } from "#src/platform/http/route.ts";
import { ReplayInput, startReplay } from "./replays.ts";
import { type RunParts, Simulation } from "./runs.ts";

/** Returns the routes that replay past calls against a draft, an extension. */
export function replayRoutes(context: RunParts & { wake(): void }): Route[] {
  return [
    route({
      audience: "external",
      tag: "Simulations",
      method: "POST",
      path: "/api/external/v1/simulations/replays",
      access: ["FLOWS_WRITE"],
      summary: "Speak the recorded side of past calls to a flow, and report what differs (extension)",
      description:
        "Required: flowId or flowApiId. Answers at once with a run of kind REPLAY. Nobody is called. Its report is shown to credentials that may read calls.",
      idempotent: true,
      body: ReplayInput,
      replies: { 200: Simulation },
      run: ({ tx, caller, body }) => startReplay(tx, context, caller.workspaceId, body),
      afterCommit: () => context.wake(),
    }),
  ];
}
