import { SIGNED_IN } from "#src/platform/http/console-access.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { type Static, Type } from "#src/platform/http/schemas.ts";

/** Settings that the operator made for all workspaces, in the server's environment. */
export const Installation = Type.Object(
  {
    publicUrl: Type.String(),
    recordingRetentionDays: Type.Integer({ description: "Recordings are deleted after so many days; 0: never." }),
    sealsRecordings: Type.Boolean({ description: "New recordings are encrypted." }),
    sttProviders: Type.Array(Type.String(), { description: "Who hears in calls, in the order they are asked." }),
    ttsProviders: Type.Array(Type.String(), { description: "Who speaks in calls." }),
    batchSttProviders: Type.Array(Type.String(), { description: "Who transcribes recordings." }),
    missing: Type.Array(Type.String(), { description: "Speech providers that are listed and not there, and why." }),
  },
  { $id: "Installation" },
);
export type Installation = Static<typeof Installation>;

/** Returns the route that shows the server's own settings. */
export function installationRoute(installation: Installation): Route {
  return route({
    audience: "console",
    access: [SIGNED_IN],
    tag: "Service",
    method: "GET",
    path: "/api/console/installation",
    summary: "What the operator set for all workspaces",
    replies: { 200: Installation },
    run: async () => installation,
  });
}
