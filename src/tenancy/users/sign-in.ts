import type { IncomingHttpHeaders } from "node:http";
import type { Executor } from "#src/platform/db/database.ts";
import { networkOf } from "#src/platform/kernel/addresses.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { randomText, sha256, uuidv7 } from "#src/platform/kernel/id.ts";
import { type Actor, recordAudit } from "#src/tenancy/audit/audit.ts";
import { assertPasswordsAllowed } from "./password-domains.ts";
import { checkPassword, hashPassword, isOutdated } from "./password.ts";
import { beginSecondStep, type SecondStep } from "./second-step.ts";
import { drawBuckets, hasSessionFrom, insertSession, refundBuckets } from "./session-sql.ts";
import { findUserByEmail, setPassword, touchSignIn, type UserRow } from "./store.ts";

/** Origin of a request. */
export interface Visitor {
  address: string;
  userAgent: string | null;
  requestId: string;
}

/** Returns the origin of a request. */
export function visitorOf(request: { address: string; requestId: string; headers: IncomingHttpHeaders }): Visitor {
  const agent = request.headers["user-agent"];
  return { address: request.address, requestId: request.requestId, userAgent: agent?.slice(0, 300) ?? null };
}

/** A session that was just opened: only this object and the browser's cookie hold its token. */
export interface OpenedSession {
  token: string;
  sessionId: string;
  userId: string;
}

/**
 * Buckets of wrong passwords: from one address on one account, from one address on any, and from all on one account.
 */
const TRIES = {
  pair: { capacity: 10, perSecond: 1 / 30 },
  address: { capacity: 40, perSecond: 1 / 10 },
  account: { capacity: 100, perSecond: 1 / 20 },
};

/**
 * Signs in with e-mail address and password. For an address without an account the check takes as long as for a wrong
 * password, and the refusal is the same. An account with a second factor gets its second step and no session.
 */
export async function signIn(
  db: Executor,
  { email, password }: { email: string; password: string },
  visitor: Visitor,
): Promise<OpenedSession | SecondStep> {
  await assertPasswordsAllowed(db, email);
  const row = await findUserByEmail(db, email);
  const names = await assertTries(db, email.toLowerCase(), row, visitor.address);
  const isRight = await checkPassword(password, row?.password_hash ?? null);
  if (!row || !isRight || row.disabled_at !== null) {
    await noteRefusal(db, row, visitor);
    throw new AppError("UNAUTHORIZED", "E-mail address or password is wrong.");
  }
  const better = isOutdated(row.password_hash) ? await hashPassword(password) : null;
  return db.transaction().execute(async (tx) => {
    if (better !== null) await setPassword(tx, row.id, better);
    await refundBuckets(tx, names);
    if (row.second_factor_at !== null) return beginSecondStep(tx, row.id);
    await recordAudit(tx, { workspaceId: null, actor: toActor(row, visitor), action: "user.signed_in", target: null });
    return openSession(tx, row.id, visitor);
  });
}

/**
 * Opens a session for an account that has been authenticated. `providerFactor`: whether the identity
 * provider answers for a second factor; null without a provider.
 */
export async function openSession(
  tx: Executor,
  userId: string,
  { address, userAgent }: Visitor,
  providerFactor: boolean | null = null,
): Promise<OpenedSession> {
  const token = randomText(43);
  const sessionId = uuidv7();
  await insertSession(tx, token, { id: sessionId, userId, address, userAgent, providerFactor });
  await touchSignIn(tx, userId);
  return { token, sessionId, userId };
}

/** Returns an account as an actor. */
export function toActor(row: { id: string; email: string }, visitor: Visitor): Actor {
  const { address, requestId } = visitor;
  return { kind: "USER", userId: row.id, name: row.email, address, requestId };
}

/**
 * Draws a try from each bucket; 429 when one is empty. Somebody else's wrong tries must not lock a person out: from an
 * address where the account is signed in, tries from other addresses do not count. The typed text, which may be
 * anything, is stored as a digest.
 */
async function assertTries(
  db: Executor,
  account: string,
  row: UserRow | undefined,
  address: string,
): Promise<string[]> {
  const isKnown = row !== undefined && (await hasSessionFrom(db, row.id, address));
  const name = (kind: keyof typeof TRIES, ...parts: string[]) =>
    `${kind}|${sha256(JSON.stringify(parts)).toString("base64url")}`;
  const network = networkOf(address);
  const buckets = [
    { name: name("pair", network, account), ...TRIES.pair },
    { name: name("address", network), ...TRIES.address },
    ...(isKnown ? [] : [{ name: name("account", account), ...TRIES.account }]),
  ];
  const drawn = await drawBuckets(db, buckets);
  if (drawn.some((bucket) => !bucket.granted)) throw new AppError("RATE_LIMITED");
  return buckets.map((bucket) => bucket.name);
}

/**
 * Draws a try for a signed-in person who enters their password again; 429 when there is none left: a stolen session
 * must not be a way to guess the password. Returns the bucket's name for the refund of a right one.
 */
export async function assertOwnTries(db: Executor, userId: string): Promise<string[]> {
  const name = `own|${userId}`;
  const [drawn] = await drawBuckets(db, [{ name, ...TRIES.pair }]);
  if (!drawn?.granted) throw new AppError("RATE_LIMITED");
  return [name];
}

/** Audits a refused sign-in, but not for addresses without an account: they may be anything that somebody typed. */
export async function noteRefusal(db: Executor, row: UserRow | undefined, visitor: Visitor): Promise<void> {
  if (!row) return;
  const { address, requestId } = visitor;
  const actor: Actor = { kind: "SYSTEM", userId: null, name: "sign-in", address, requestId };
  await recordAudit(db, { workspaceId: null, actor, action: "user.sign_in_refused", target: row.email });
}
