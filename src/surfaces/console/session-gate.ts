import type { Executor } from "#src/platform/db/database.ts";
import type { Admission, Gatekeeper, SessionAsk, SessionGate } from "#src/platform/http/admission.ts";
import { INSTALLATION_OWNER, SIGNED_IN } from "#src/platform/http/console-access.ts";
import type { Caller, Person } from "#src/platform/http/route.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import { NO_WORKSPACE } from "#src/tenancy/audit/audit.ts";
import { permissionsOf, type Role } from "#src/tenancy/users/roles.ts";
import { type AdmittedRow, admitSession, SESSION_CAPACITY, SESSION_PER_SECOND } from "#src/tenancy/users/sessions.ts";
import { type CookieStyle, csrfTokenOf, readToken, showsCsrfToken } from "./cookie.ts";

/** Dependencies of the gate. */
export interface GateParts {
  db: Executor;
  /** Admits requests without a session, by address. */
  gatekeeper: Gatekeeper;
  publicUrl: string;
  cookie: CookieStyle;
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Builds the gate of the dashboard's routes: session, origin, CSRF token, role. */
export function createSessionGate({ db, gatekeeper, publicUrl, cookie }: GateParts): SessionGate {
  return {
    async admit(ask: SessionAsk): Promise<Admission> {
      const isSafe = SAFE_METHODS.has(ask.method);
      assertOrigin(ask, publicUrl, isSafe);
      if (ask.workspaceId !== undefined && !isUuid(ask.workspaceId))
        throw new AppError("INVALID_PATH", "workspaceId must be a UUID.");
      const token = readToken(ask.headers, cookie);
      const row = token === undefined ? undefined : await admitSession(db, token, ask.workspaceId ?? null);
      if (!token || !row) return gatekeeper.admit({ apiKey: undefined, bearer: undefined }, ask.address, true);
      const admission = toAdmission(row);
      if (!admission.allowed) return admission;
      const person = toPerson(row, csrfTokenOf(token));
      if (!isSafe && !ask.isPublic && !showsCsrfToken(ask.headers, person.csrfToken))
        throw new AppError("FORBIDDEN", "Send X-CSRF-Token as GET /api/console/session gives it.");
      return { ...admission, caller: toCaller(row, person, ask.workspaceId) };
    },
  };
}

/** Refuses requests from other sites, and changing requests from other origins, by the headers that browsers send. */
function assertOrigin({ headers }: SessionAsk, publicUrl: string, isSafe: boolean): void {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  const isOther = origin !== undefined && origin !== publicUrl;
  const isFromElsewhere = origin === undefined && site !== undefined && site !== "same-origin" && site !== "none";
  if (site !== "cross-site" && (isSafe || (!isOther && !isFromElsewhere))) return;
  throw new AppError("FORBIDDEN", `Requests of other origins are refused. The dashboard is at ${publicUrl}.`);
}

function toAdmission(row: AdmittedRow): Admission {
  return {
    caller: null,
    allowed: row.granted,
    limit: SESSION_CAPACITY,
    remaining: Math.max(0, Math.floor(row.tokens)),
    resetSeconds: Math.max(0, (SESSION_CAPACITY - row.tokens) / SESSION_PER_SECOND),
    nextTokenSeconds: Math.max(0, (1 - row.tokens) / SESSION_PER_SECOND),
  };
}

function toPerson(row: AdmittedRow, csrfToken: string): Person {
  return {
    userId: row.user_id,
    email: row.email,
    name: row.name,
    isInstallationOwner: row.is_installation_owner,
    sessionId: row.session_id,
    csrfToken,
  };
}

/** Builds the caller. A workspace without membership answers like one that does not exist. */
function toCaller(row: AdmittedRow, person: Person, workspaceId: string | undefined): Caller {
  const common = { credentialId: row.user_id, kind: "USER", person } as const;
  if (workspaceId === undefined) {
    const own = row.is_installation_owner ? [SIGNED_IN, INSTALLATION_OWNER] : [SIGNED_IN];
    return { ...common, workspaceId: NO_WORKSPACE, permissions: new Set(own) };
  }
  if (row.workspace_id === null || row.role === null || row.mode === null)
    throw new AppError("NOT_FOUND", "There is no such workspace.");
  if (row.lacks_factor)
    throw new AppError("FORBIDDEN", "This workspace requires a second factor. Set one up, or show yours, first.");
  const granted = permissionsOf(row.role as Role, row.mode);
  const permissions = row.is_installation_owner ? new Set([...granted, INSTALLATION_OWNER]) : granted;
  return { ...common, workspaceId: row.workspace_id, permissions };
}
