import type { BatchSttProviders } from "#src/audio/speech-providers/batch-stt-providers.ts";
import { connectionSignInRoutes } from "#src/authoring/connections/console-routes.ts";
import type { SignInParts } from "#src/authoring/connections/sign-in.ts";
import { flowUsesRoute } from "#src/authoring/flows/console-routes.ts";
import type { SessionPortParts } from "#src/authoring/session-plans/granted-ports.ts";
import { speechAccountRoutes } from "#src/authoring/speech-accounts/console-routes.ts";
import { voiceRoutes } from "#src/authoring/speech-accounts/voice-routes.ts";
import { toolTrialRoutes } from "#src/authoring/tool-runs/console-routes.ts";
import { type DeliveryRoutesContext, deliveryRoutes } from "#src/interactions/webhooks/console-routes.ts";
import { carrierAccountRoutes } from "#src/numbers/phone-numbers/console-routes.ts";
import { numberOfferRoutes } from "#src/numbers/phone-numbers/offer-routes.ts";
import type { Config } from "#src/platform/config/config.ts";
import type { Database } from "#src/platform/db/database.ts";
import type { Gatekeeper } from "#src/platform/http/admission.ts";
import { joinPages } from "#src/platform/http/pages.ts";
import type { Route } from "#src/platform/http/route.ts";
import type { ServerParts } from "#src/platform/http/server.ts";
import { isSafeOrigin } from "#src/surfaces/console/console.ts";
import { cookieStyle } from "#src/surfaces/console/cookie.ts";
import { Feeds } from "#src/surfaces/console/feeds.ts";
import { type Installation, installationRoute } from "#src/surfaces/console/installation-route.ts";
import { createPages } from "#src/surfaces/console/pages.ts";
import { type ConsoleContext, consoleRoutes } from "#src/surfaces/console/routes.ts";
import { createSessionGate } from "#src/surfaces/console/session-gate.ts";
import { createGuides } from "#src/surfaces/guides/guides.ts";
import { inspectorRoutes } from "#src/surfaces/webhook-inspector/routes.ts";
import { RequestLog } from "#src/tenancy/audit/request-log.ts";
import { logRoutes } from "#src/tenancy/audit/routes.ts";
import { credentialRoutes } from "#src/tenancy/auth/console-routes.ts";
import { doNotCallRoutes } from "#src/tenancy/compliance/console-routes.ts";
import { DO_NOT_CALL_PATH } from "#src/tenancy/compliance/routes.ts";
import type { ProviderParts } from "#src/tenancy/sign-on/identity-providers.ts";
import { OidcClient } from "#src/tenancy/sign-on/oidc.ts";
import { identityProviderRoutes } from "#src/tenancy/sign-on/routes.ts";
import { billingRoutes } from "#src/tenancy/usage/console-routes.ts";
import { createSetupLink } from "#src/tenancy/users/links.ts";
import { userRoutes } from "#src/tenancy/users/routes.ts";
import type { AccountParts } from "./carrier-accounts.ts";
import type { Core } from "./core.ts";
import type { Audio } from "./speech.ts";

/**
 * State of the dashboard: its settings, its live streams that this process holds open, and its client of identity
 * providers.
 */
type Dashboard = Pick<ConsoleContext, "console" | "feeds" | "signOn">;

/** Dependencies of the dashboard's routes, its own and those of rooms. */
export interface ConsoleParts
  extends
    ConsoleContext,
    DeliveryRoutesContext,
    SignInParts,
    ProviderParts,
    Pick<AccountParts, "accounts" | "carrierAccountParts">,
    Pick<Audio, "speechProviders" | "speechOf"> {
  /** The configured providers of transcriptions. */
  batchSttProviders: BatchSttProviders;
  sessionPortParts: Pick<SessionPortParts, "toolRuns">;
}

/** Returns the state of the dashboard for a process that begins. */
export function openConsole(config: Config, core: Core): Dashboard {
  const { databases, log } = core;
  const { db } = databases.requests;
  const { publicUrl, insecureSignIn, recordings } = config;
  const console = {
    cookie: cookieStyle(publicUrl),
    // With insecureSignIn, the operator accepts plain http.
    isSafe: isSafeOrigin(publicUrl) || insecureSignIn,
    recordingRetentionDays: recordings.retentionDays,
    sealsRecordings: recordings.seals,
  };
  return { console, feeds: new Feeds(db, log), signOn: { ...core, db, oidc: new OidcClient(core) } };
}

/** Returns every route of the dashboard: its own, those that rooms declare for it, and the external ones. */
export function createConsoleRoutes(database: Database, context: ConsoleParts, external: Route[]): Route[] {
  const { publicUrl } = context;
  const { db } = database;
  // The dashboard has its own routes for the do-not-call ledger, where only owners remove numbers.
  const shared = external.filter(({ path }) => !path.startsWith(DO_NOT_CALL_PATH));
  return consoleRoutes(database, context, shared, {
    audited: [...userRoutes(db, publicUrl), ...identityProviderRoutes(db, context, context.signOn.oidc)],
    unaudited: [
      ...credentialRoutes(db),
      ...carrierAccountRoutes(context.carrierAccountParts),
      ...numberOfferRoutes({ db, accounts: context.accounts }),
      ...connectionSignInRoutes(database, context),
      ...toolTrialRoutes(db, context.sessionPortParts.toolRuns),
      ...billingRoutes(db),
      ...logRoutes(db),
      ...deliveryRoutes(db, context),
      ...doNotCallRoutes(db),
      ...inspectorRoutes(db, publicUrl),
      flowUsesRoute(db),
      ...voiceRoutes(db, context),
      ...speechAccountRoutes(db, { ...context, server: context.speechProviders }),
      installationRoute(describeInstallation(context)),
    ],
  });
}

function describeInstallation({ console, publicUrl, speechProviders, batchSttProviders }: ConsoleParts): Installation {
  const { recordingRetentionDays, sealsRecordings } = console;
  const { sttProviders, ttsProviders, missing } = speechProviders;
  return {
    publicUrl,
    recordingRetentionDays,
    sealsRecordings,
    sttProviders,
    ttsProviders,
    batchSttProviders: [...batchSttProviders.keys()],
    missing,
  };
}

/** Returns the server's parts for the dashboard: its gate, its pages, and the log of requests that it shows. */
export function openConsoleClient(
  { databases, publicUrl, log, console }: Pick<Core, "databases" | "publicUrl" | "log"> & Pick<Dashboard, "console">,
  gatekeeper: Gatekeeper,
): { parts: Pick<ServerParts, "sessions" | "pages" | "onServed">; close(): Promise<void> } {
  const requestLog = new RequestLog(databases.admission.pool, log);
  requestLog.start();
  const { cookie } = console;
  return {
    parts: {
      sessions: createSessionGate({ db: databases.requests.db, gatekeeper, publicUrl, cookie }),
      pages: joinPages(createGuides(publicUrl), createPages(publicUrl)),
      onServed: (served) => requestLog.note(served),
    },
    close: () => requestLog.stop(),
  };
}

/** Creates a setup link, at each start while there is no account: an earlier link may have expired unread. */
export async function offerSetup({ roles, publicUrl }: Config, { db }: Database): Promise<string | null> {
  if (!roles.includes("api")) return null;
  return (await db.transaction().execute((tx) => createSetupLink(tx, publicUrl))).url;
}
