import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from "oauth4webapi";
import type { Database, Executor } from "#src/platform/db/database.ts";
import type { Person } from "#src/platform/http/route.ts";
import { nullable, type Static, Type } from "#src/platform/http/schemas.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { randomText, sha256, uuidv7 } from "#src/platform/kernel/id.ts";
import type { Connection } from "./connection-fields.ts";
import { openClient, type ProviderParts, toConnection } from "./connections.ts";
import { isSalesforceOrigin, providerOf } from "./providers.ts";
import { sealTokens, verifierPlace } from "./secrets.ts";
import { connect, type ConnectionRow, findConnection, insertSignIn, takeSignIn } from "./store.ts";
import { exchangeCode, type Granted } from "./token-endpoint.ts";

/** Path of the dashboard to which providers send the browser back. */
const CALLBACK_PATH = "/connections/callback";

/** Dependencies of a sign-in. */
export interface SignInParts extends ProviderParts {
  publicUrl: string;
}

/** Returns the redirect URI that an operator registers for the OAuth app at the provider. */
export function redirectUriOf(publicUrl: string): string {
  return publicUrl + CALLBACK_PATH;
}

/**
 * Begins a sign-in: returns the address at which the person consents. Its state names the workspace, can be used once
 * within ten minutes, and only in the session of the dashboard that began it.
 */
export async function beginSignIn(
  db: Executor,
  { box, publicUrl }: SignInParts,
  workspaceId: string,
  connectionId: string,
  { sessionId }: Pick<Person, "sessionId">,
): Promise<{ authorizationUrl: string }> {
  const row = await findConnection(db, workspaceId, connectionId);
  if (!row) throw new AppError("NOT_FOUND");
  if (row.method !== "OAUTH") throw new AppError("CONFLICT", "The connection has a key, so nobody signs in to it.");
  const id = uuidv7();
  const state = `${workspaceId}.${randomText(43)}`;
  const verifier = generateRandomCodeVerifier();
  await insertSignIn(db, {
    workspace_id: workspaceId,
    id,
    connection_id: row.id,
    session_id: sessionId,
    state_hash: sha256(state),
    verifier: box.seal(verifier, verifierPlace(workspaceId, id)),
  });
  return { authorizationUrl: await toAuthorizationUrl(row, publicUrl, state, verifier) };
}

async function toAuthorizationUrl(
  row: ConnectionRow,
  publicUrl: string,
  state: string,
  verifier: string,
): Promise<string> {
  const provider = providerOf(row);
  const url = new URL(provider.authorizationUrl);
  const scopes = row.scopes.length > 0 ? row.scopes : provider.scopes;
  const parameters: Record<string, string> = {
    response_type: "code",
    client_id: row.client_id ?? "",
    redirect_uri: redirectUriOf(publicUrl),
    state,
    ...(scopes.length > 0 ? { scope: scopes.join(provider.scopeSeparator) } : {}),
    ...(provider.usesPkce
      ? { code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" }
      : {}),
    ...provider.parameters,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

const may = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength, description })));

/** Body that ends a sign-in: the parameters with which the provider sent the browser back. */
export const SignInInput = Type.Object(
  {
    state: Type.String({ minLength: 1, maxLength: 200 }),
    code: may(4_096, "The authorization code."),
    error: may(200, "Why the provider gave no code, such as access_denied."),
    iss: may(2_048, "The provider's issuer (RFC 9207)."),
  },
  { $id: "ConnectionSignInInput" },
);
type SignInInput = Static<typeof SignInInput>;

/**
 * Ends a sign-in: exchanges its code for tokens and stores them. The state is used up first, whatever follows. No
 * transaction is open while the provider is asked.
 */
export async function endSignIn(
  { db }: Database,
  { box, safeFetch, publicUrl }: SignInParts,
  workspaceId: string,
  person: Pick<Person, "sessionId" | "email">,
  { state, code, error, iss }: SignInInput,
): Promise<Connection> {
  const signIn = await takeSignIn(db, workspaceId, person.sessionId, sha256(state));
  const row = signIn && (await findConnection(db, workspaceId, signIn.connection_id));
  if (!row) {
    throw fieldError(
      "state",
      "UNKNOWN",
      "belongs to no sign-in of this session, was used, or is too old. Start again.",
    );
  }
  const { title } = providerOf(row);
  if (error) throw fieldError("error", "REFUSED", `${title} did not grant access (${toPlain(error)}). Start again.`);
  if (!code) throw fieldError("code", "REQUIRED", "is required.");
  assertIssuer(row, iss);
  const answer = await exchangeCode(safeFetch, openClient(box, row), {
    code,
    issuer: iss ?? undefined,
    verifier: box.open(signIn.verifier, verifierPlace(workspaceId, signIn.id)),
    redirectUri: redirectUriOf(publicUrl),
  });
  if (answer.kind === "UNAVAILABLE") throw new AppError("UNAVAILABLE", `${title} did not answer. Start again.`);
  if (answer.kind === "REFUSED") {
    const message = `was refused by ${title} (${answer.reason}). Check the app's id, secret and redirect URI there.`;
    throw fieldError("code", "REFUSED", message);
  }
  const sealed = sealTokens(box, workspaceId, row.id, answer.tokens);
  const { expiresInSeconds, scopes: grantedScopes } = answer;
  const of = { grantedScopes, instanceOrigin: readInstance(row, answer), by: person.email };
  const connected = await connect(db, workspaceId, row.id, { sealed, expiresInSeconds }, of);
  if (!connected) throw new AppError("NOT_FOUND", "The connection was deleted meanwhile.");
  return toConnection(connected);
}

function toPlain(text: string): string {
  return text.replaceAll(/[^\w .-]/g, "").slice(0, 100);
}

/** Refuses an answer that names another provider's server than the one that was asked (RFC 9700, 4.4.2). */
function assertIssuer(row: ConnectionRow, iss: string | null | undefined): void {
  if (!iss || URL.parse(iss)?.origin === new URL(providerOf(row).authorizationUrl).origin) return;
  throw fieldError("iss", "OTHER_ISSUER", "is not the server at which the sign-in began. Start again.");
}

function readInstance(row: ConnectionRow, { instanceUrl }: Granted): string | null {
  if (row.provider !== "SALESFORCE") return null;
  const origin = URL.parse(instanceUrl ?? "")?.origin ?? "";
  if (isSalesforceOrigin(origin, row.base_url)) return origin;
  throw fieldError("code", "INSTANCE", "came with no address of a Salesforce organisation (instance_url).");
}
