import type { Database } from "#src/platform/db/database.ts";
import { SIGNED_IN } from "#src/platform/http/console-access.ts";
import { buildOpenApi } from "#src/platform/http/openapi.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { anyObject, Type } from "#src/platform/http/schemas.ts";
import type { NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { DemoParts } from "#src/surfaces/operator/demo.ts";
import { sampleCsv } from "#src/surfaces/operator/sample-contacts.ts";
import type { SignOnParts } from "#src/tenancy/sign-on/sign-on.ts";
import { relyingPartyOf } from "#src/tenancy/users/webauthn.ts";
import { accountRoutes } from "./account-routes.ts";
import type { ConsoleSettings } from "./console.ts";
import { eventsRoute } from "./events-route.ts";
import { factorRoutes } from "./factor-routes.ts";
import type { Feeds } from "./feeds.ts";
import { audited, mountExternal } from "./mounted-routes.ts";
import { overviewRoute } from "./overview-route.ts";
import { passkeyRoutes } from "./passkey-routes.ts";
import { secondStepRoutes } from "./second-step-routes.ts";
import { signInRoutes } from "./sign-in-routes.ts";
import { providerNamesRoute } from "./sign-on-routes.ts";
import { workspaceRoutes } from "./workspace-routes.ts";

/** Dependencies of the dashboard's routes. */
export interface ConsoleContext extends DemoParts {
  console: ConsoleSettings;
  feeds: Feeds;
  node: NodeIdentity;
  signOn: SignOnParts;
  /** Seals the secrets of one-time passwords. */
  box: SecretBox;
}

/** Routes of the dashboard that other modules declare. */
export interface RoomRoutes {
  /** Routes that write their own audit entries. */
  audited: Route[];
  /** Routes whose writes are audited here. */
  unaudited: Route[];
}

/** Returns the dashboard's own API: its routes, and the external ones for signed-in people. */
export function consoleRoutes({ db }: Database, context: ConsoleContext, external: Route[], own: RoomRoutes): Route[] {
  const { cookie, isSafe } = context.console;
  const { node, box, publicUrl } = context;
  const factors = { db, box, cookie, isSafe, party: relyingPartyOf(publicUrl) };
  const routes = [
    ...signInRoutes({ db, cookie, isSafe, demo: context }),
    providerNamesRoute(db),
    ...accountRoutes(db, box, cookie),
    ...secondStepRoutes(factors),
    ...factorRoutes(factors),
    ...passkeyRoutes(factors),
    ...workspaceRoutes(db, context),
    sampleRoute(),
    eventsRoute(context.feeds),
    overviewRoute(db),
    ...own.audited,
    ...own.unaudited.map((declared) => audited({ db, node }, declared)),
    ...mountExternal({ db, node }, external),
  ];
  return [...routes, documentRoute(routes, publicUrl)];
}

function sampleRoute(): Route {
  return route({
    audience: "console",
    access: [SIGNED_IN],
    tag: "Workspaces",
    method: "GET",
    path: "/api/console/sample-contacts",
    summary: "Twenty simulated people as a CSV",
    replies: { 200: Type.Object({ csv: Type.String() }) },
    run: async () => ({ csv: sampleCsv() }),
  });
}

/**
 * Returns the route of the API document, made on first use: it describes some two hundred routes, and most processes
 * are never asked for it.
 */
function documentRoute(routes: Route[], publicUrl: string): Route {
  let document: Record<string, unknown> | undefined;
  return route({
    audience: "console",
    access: [SIGNED_IN],
    tag: "Service",
    method: "GET",
    path: "/api/console/openapi.json",
    summary: "The document of the dashboard's routes",
    replies: { 200: anyObject("OpenAPI 3.1.") },
    async run() {
      document ??= buildOpenApi(routes, publicUrl);
      return document;
    },
  });
}
