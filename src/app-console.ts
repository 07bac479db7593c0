import { RequestLog } from "#src/audit/request-log.ts";
import { logRoutes } from "#src/audit/routes.ts";
import { credentialRoutes } from "#src/auth/console-routes.ts";
import { doNotCallRoutes } from "#src/compliance/console-routes.ts";
import { DO_NOT_CALL_PATH } from "#src/compliance/routes.ts";
import type { Config } from "#src/config/config.ts";
import { isSafeOrigin } from "#src/console/console.ts";
import { cookieStyle } from "#src/console/cookie.ts";
import { Feeds } from "#src/console/feeds.ts";
import { type Installation, installationRoute } from "#src/console/installation-route.ts";
import { createPages } from "#src/console/pages.ts";
import { consoleRoutes } from "#src/console/routes.ts";
import { createSessionGate } from "#src/console/session-gate.ts";
import type { Database } from "#src/db/database.ts";
import type { Gatekeeper } from "#src/http/admission.ts";
import type { Route } from "#src/http/route.ts";
import type { ServerParts } from "#src/http/server.ts";
import type { Log } from "#src/kernel/log.ts";
import { carrierAccountRoutes } from "#src/phone-numbers/console-routes.ts";
import { numberOfferRoutes } from "#src/phone-numbers/offer-routes.ts";
import { speechAccountRoutes } from "#src/speech-accounts/console-routes.ts";
import { toolTrialRoutes } from "#src/tool-runs/console-routes.ts";
import { billingRoutes } from "#src/usage/console-routes.ts";
import { createSetupLink } from "#src/users/links.ts";
import { userRoutes } from "#src/users/routes.ts";
import { needsSetup } from "#src/users/users.ts";
import { inspectorRoutes } from "#src/webhook-inspector/routes.ts";
import { deliveryRoutes } from "#src/webhooks/console-routes.ts";
import type { Context } from "./context.ts";

/** How the dashboard is served, and its live streams. */
export function openConsole(config: Config, { db }: Database, log: Log): Pick<Context, "console" | "feeds"> {
  const { publicUrl, insecureSignIn, recordings } = config;
  const console = {
    cookie: cookieStyle(publicUrl),
    // With insecureSignIn, the operator says that plain http will do.
    isSafe: isSafeOrigin(publicUrl) || insecureSignIn,
    recordingRetentionDays: recordings.retentionDays,
    sealsRecordings: recordings.seals,
  };
  return { console, feeds: new Feeds(db, log) };
}

/** Every route of the dashboard: its own, those that rooms declare for it, and the external ones. */
export function createConsoleRoutes(context: Context, external: Route[]): Route[] {
  const { database, publicUrl } = context;
  const { db } = database;
  // The dashboard has routes of its own for the ledger: there only owners take numbers out.
  const shared = external.filter(({ path }) => !path.startsWith(DO_NOT_CALL_PATH));
  return consoleRoutes(database, context, shared, {
    told: userRoutes(db, publicUrl),
    untold: [
      ...credentialRoutes(db),
      ...carrierAccountRoutes(context.carrierDesk),
      ...numberOfferRoutes({ db, accounts: context.accounts }),
      ...toolTrialRoutes(db, context.reach.toolRuns),
      ...billingRoutes(db),
      ...logRoutes(db),
      ...deliveryRoutes(db, context),
      ...doNotCallRoutes(db),
      ...inspectorRoutes(db, publicUrl),
      ...speechAccountRoutes(db, { ...context, server: context.speechProviders }),
      installationRoute(describeInstallation(context)),
    ],
  });
}

function describeInstallation({ console, publicUrl, speechProviders, transcribers }: Context): Installation {
  const { recordingRetentionDays, sealsRecordings } = console;
  const { recognisers, synthesisers, missing } = speechProviders;
  return {
    publicUrl,
    recordingRetentionDays,
    sealsRecordings,
    recognisers,
    synthesisers,
    transcribers: [...transcribers.keys()],
    missing,
  };
}

/** What the server needs for the dashboard: its gate, its pages, and the log of requests that it shows. */
export function openConsoleDoor(
  { database, databases, publicUrl, log, console }: Context,
  gatekeeper: Gatekeeper,
): { parts: Pick<ServerParts, "sessions" | "pages" | "onServed">; close(): Promise<void> } {
  const requestLog = new RequestLog(databases.admission.pool, log);
  requestLog.start();
  const { cookie } = console;
  return {
    parts: {
      sessions: createSessionGate({ db: database.db, gatekeeper, publicUrl, cookie }),
      pages: createPages(publicUrl),
      onServed: (served) => requestLog.note(served),
    },
    close: () => requestLog.stop(),
  };
}

/** Each start of an installation without an account gives out a new link: an earlier one may have expired unread. */
export async function offerSetup({ roles, publicUrl }: Config, { db }: Database): Promise<string | null> {
  if (!roles.includes("api") || !(await needsSetup(db))) return null;
  return (await db.transaction().execute((tx) => createSetupLink(tx, publicUrl))).url;
}
