import { createHmac } from "node:crypto";
import type { Executor } from "#src/platform/db/database.ts";
import { OutboundError } from "#src/platform/http/safe-fetch.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { randomText, uuidv7 } from "#src/platform/kernel/id.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { openOrNull, type SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { SealedColumn } from "#src/platform/secrets/sealed-column.ts";
import { type Actor, recordAudit } from "#src/tenancy/audit/audit.ts";
import { hashNothing } from "#src/tenancy/users/password.ts";
import { type OpenedSession, openSession, toActor, type Visitor } from "#src/tenancy/users/sign-in.ts";
import { createUser, findUserByEmail } from "#src/tenancy/users/users.ts";
import { hasProviderFactor } from "./authentication-methods.ts";
import { applyGroupRoles } from "./group-roles.ts";
import { requireProviderByKey } from "./identity-providers.ts";
import {
  type IdentityRow,
  insertIdentity,
  lockBySubject,
  lockIdentity,
  lockProvisioned,
  setGroups,
  setSubject,
} from "./identity-store.ts";
import type { Answer, OidcClient, SignOnSecrets } from "./oidc.ts";
import { isInDomains, readPerson, type SignedOnPerson } from "./person.ts";
import { SignOnFault } from "./sign-on-fault.ts";
import {
  findProvider,
  findSignOutUrl,
  insertAttempt,
  insertSignOnSession,
  lockProvider,
  type ProviderRow,
  useAttempt,
} from "./store.ts";

/** Time for which a person may stay at the provider. */
export const ATTEMPT_SECONDS = 600;

/** Dependencies of signing in by an identity provider. */
export interface SignOnParts {
  db: Executor;
  box: SecretBox;
  oidc: OidcClient;
  log: Log;
}

/**
 * Begins a sign-in; returns the provider's address to open. The browser's token, which only its cookie holds, makes all
 * secrets, so the answer counts in this browser alone.
 */
export async function beginSignOn(
  { db, oidc, log }: SignOnParts,
  { key, next, browserToken }: { key: string; next: string; browserToken: string },
): Promise<string> {
  const provider = await requireProviderByKey(db, key);
  const secrets = secretsOf(browserToken, randomText(22));
  const url = await oidc.begin(provider, secrets).catch((error: unknown) => {
    log.warn("An identity provider could not be asked.", { provider: key, error: toError(error).message });
    throw new SignOnFault("UNREACHABLE", error);
  });
  await insertAttempt(db, secrets.state, provider.id, next);
  return url;
}

/** The provider's answer, as the browser brings it. */
export interface BroughtAnswer {
  key: string;
  /** Query of the callback. */
  query: string;
  browserToken: string | undefined;
  visitor: Visitor;
}

/** Ends a sign-in: checks the answer, finds or makes the account, gives the roles of its groups, opens a session. */
export async function finishSignOn(
  parts: SignOnParts,
  { key, query, browserToken, visitor }: BroughtAnswer,
): Promise<{ opened: OpenedSession; next: string }> {
  const { db, oidc, log } = parts;
  const params = new URLSearchParams(query);
  const state = params.get("state") ?? "";
  const secrets = browserToken === undefined ? null : secretsOf(browserToken, state.split(".", 1)[0] ?? "");
  if (secrets?.state !== state) throw new SignOnFault("EXPIRED");
  const attempt = await useAttempt(db, state, ATTEMPT_SECONDS);
  const provider = attempt && (await findProvider(db, attempt.provider_id));
  if (!attempt || provider?.key !== key) throw new SignOnFault("EXPIRED");
  if (params.has("error")) throw new SignOnFault("REFUSED");
  const answer = await oidc.finish(provider, secrets, query).catch((error: unknown) => {
    log.warn("The answer of an identity provider was refused.", { provider: key, error: explain(error) });
    throw new SignOnFault(isOutbound(error) ? "UNREACHABLE" : "INVALID_ANSWER", error);
  });
  return { opened: await admit(parts, provider, answer, visitor), next: attempt.next };
}

/**
 * Returns the address that ends the provider's own session after a sign-out; null where the session was opened in
 * another way, or the provider has no such address.
 */
export async function findProviderSignOut(db: Executor, box: SecretBox, sessionId: string): Promise<string | null> {
  const sealed = await findSignOutUrl(db, sessionId);
  return sealed === null ? null : openOrNull(box, sealed, signOutPlace(sessionId));
}

/** Addresses that end the sessions of providers, as they are stored: each holds an ID token. */
export const SEALED_SIGN_OUTS: SealedColumn = {
  what: "sign-out addresses",
  table: "sign_on_sessions",
  key: { session_id: "uuid" },
  read: "sign_out_url",
  write: (parameter) => `sign_out_url = ${parameter}`,
  place: ({ session_id: sessionId = "" }) => signOutPlace(sessionId),
};

function signOutPlace(sessionId: string): string {
  return `sign_on_sessions|sign_out_url|${sessionId}`;
}

/** Makes the secrets of one sign-in from the browser's token. The state proves by itself that it belongs to it. */
function secretsOf(browserToken: string, random: string): SignOnSecrets {
  const derive = (use: string) => createHmac("sha256", browserToken).update(`${use}|${random}`).digest("base64url");
  return { state: `${random}.${derive("state")}`, nonce: derive("nonce"), verifier: derive("verifier") };
}

function isOutbound(error: unknown): boolean {
  return error instanceof OutboundError || toError(error).cause instanceof OutboundError;
}

/** The library's errors name the fault in a cause or a code, which hold no token. */
function explain(error: unknown): string {
  const { message, cause } = toError(error);
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

async function admit(
  { db, box }: SignOnParts,
  provider: ProviderRow,
  { claims, signOutUrl }: Answer,
  visitor: Visitor,
): Promise<OpenedSession> {
  const person = readPerson(provider, claims);
  try {
    return await db.transaction().execute(async (tx) => {
      // People of one provider are linked and made one after the other, so that no two requests make one twice.
      if (!(await lockProvider(tx, provider.id))) throw new SignOnFault("EXPIRED");
      const identity = await findIdentity(tx, provider, person);
      if (identity.disabled_at !== null || identity.deleted_at !== null) throw new SignOnFault("DISABLED");
      await setGroups(tx, identity, person.groups);
      await applyGroupRoles(tx, provider.id, identity.user_id, actorOf(provider, visitor));
      const actor = toActor({ id: identity.user_id, email: identity.email }, visitor);
      const details = { provider: provider.key };
      await recordAudit(tx, { workspaceId: null, actor, action: "user.signed_in", target: null, details });
      const opened = await openSession(tx, identity.user_id, visitor, hasProviderFactor(claims.amr));
      const sealed = signOutUrl === null ? null : box.seal(signOutUrl, signOutPlace(opened.sessionId));
      await insertSignOnSession(tx, opened.sessionId, provider.id, sealed);
      return opened;
    });
  } catch (error) {
    if (error instanceof SignOnFault) await noteRefusal(db, provider, person, { reason: error.code, visitor });
    throw error;
  }
}

async function findIdentity(tx: Executor, provider: ProviderRow, person: SignedOnPerson): Promise<IdentityRow> {
  const known = await lockBySubject(tx, provider.id, person.subject);
  if (known) return known;
  const provisioned = person.externalId && (await lockProvisioned(tx, provider.id, person.externalId));
  if (provisioned) {
    await setSubject(tx, provisioned, person.subject);
    return provisioned;
  }
  return (await linkByEmail(tx, provider, person)) ?? createAccount(tx, provider, person);
}

/** Links the account that has the person's e-mail address: only a verified one, of an own domain, where it is set. */
async function linkByEmail(
  tx: Executor,
  provider: ProviderRow,
  { subject, externalId, email, isEmailVerified }: SignedOnPerson,
): Promise<IdentityRow | undefined> {
  if (!provider.links_by_email || email === null || isEmailVerified !== true || !isInDomains(provider, email)) return;
  const user = await findUserByEmail(tx, email);
  if (!user) return undefined;
  const provisioned = await lockIdentity(tx, provider.id, user.id);
  if (!provisioned) return insert(tx, provider, { userId: user.id, subject, externalId, email });
  // The address belonged to somebody else at the provider before.
  if (provisioned.subject !== null) throw new SignOnFault("EMAIL_TAKEN");
  await setSubject(tx, provisioned, subject);
  return provisioned;
}

async function createAccount(
  tx: Executor,
  provider: ProviderRow,
  { subject, externalId, email, isEmailVerified, name }: SignedOnPerson,
): Promise<IdentityRow> {
  if (!provider.creates_accounts) throw new SignOnFault("NO_ACCOUNT");
  if (email === null) throw new SignOnFault("NO_EMAIL");
  if (!isInDomains(provider, email)) throw new SignOnFault("WRONG_DOMAIN");
  if (isEmailVerified === false) throw new SignOnFault("EMAIL_UNVERIFIED");
  if (await findUserByEmail(tx, email)) throw new SignOnFault("EMAIL_TAKEN");
  const id = uuidv7();
  await createUser(tx, { id, email, name, passwordHash: hashNothing(), isInstallationOwner: false });
  return insert(tx, provider, { userId: id, subject, externalId, email });
}

async function insert(
  tx: Executor,
  { id, external_id_claim: claim }: ProviderRow,
  { userId, subject, externalId, email }: { userId: string; subject: string; externalId: string | null; email: string },
): Promise<IdentityRow> {
  const isNew = await insertIdentity(tx, {
    provider_id: id,
    user_id: userId,
    subject,
    // The subject is known anyway.
    external_id: claim === "sub" ? null : externalId,
    user_name: email,
    profile: {},
  });
  const row = isNew ? await lockIdentity(tx, id, userId) : undefined;
  if (!row) throw new SignOnFault("EMAIL_TAKEN");
  return row;
}

function actorOf({ key }: ProviderRow, { address, requestId }: Visitor): Actor {
  return { kind: "SYSTEM", userId: null, name: `identity provider ${key}`, address, requestId };
}

async function noteRefusal(
  db: Executor,
  provider: ProviderRow,
  { email, subject }: SignedOnPerson,
  { reason, visitor }: { reason: string; visitor: Visitor },
): Promise<void> {
  await recordAudit(db, {
    workspaceId: null,
    actor: actorOf(provider, visitor),
    action: "user.sign_in_refused",
    target: email ?? subject,
    details: { reason },
  });
}
