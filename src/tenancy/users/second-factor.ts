import type { Executor } from "#src/platform/db/database.ts";
import { nullable, type Static, Timestamp, Type } from "#src/platform/http/schemas.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { type Actor, recordAccountAudit, recordAudit } from "#src/tenancy/audit/audit.ts";
import {
  awaitsFactor,
  countRecoveryCodes,
  deleteTotp,
  findStep,
  findTotp,
  lockUser,
  markConfirmed,
  markFactorShown,
  putTotp,
  refreshFactor,
  replaceRecoveryCodes,
  takeStep,
  useStep,
} from "./factor-store.ts";
import { deletePasskeys, listPasskeys } from "./passkey-store.ts";
import { Passkey, toPasskey } from "./passkey.ts";
import { checkPassword } from "./password.ts";
import { assertRecent } from "./recency.ts";
import { issueRecoveryCodes } from "./recovery-codes.ts";
import { assertCodeTries, totpPlace, useCode } from "./second-step.ts";
import { deleteSessions, refundBuckets } from "./session-sql.ts";
import { assertOwnTries, noteRefusal, type OpenedSession, openSession, toActor, type Visitor } from "./sign-in.ts";
import { findUserByEmail, type UserRow } from "./store.ts";
import { findStepOf, isTotpCode, newTotpSecret, totpUri } from "./totp.ts";
import { requireUser } from "./users.ts";

/** Second factors of an account, never their secrets. */
export const SecondFactors = Type.Object(
  {
    totpSince: nullable(Timestamp),
    passkeys: Type.Array(Passkey),
    recoveryCodesLeft: Type.Integer(),
    canUsePasskeys: Type.Boolean({ description: "False at a bare IP address, and over plain http." }),
  },
  { $id: "SecondFactors" },
);
export type SecondFactors = Static<typeof SecondFactors>;

/** A signed-in person who changes how they sign in. */
export interface Self {
  userId: string;
  sessionId: string;
  actor: Actor;
}

/** Returns the second factors of an account. */
export async function getSecondFactors(db: Executor, userId: string, canUsePasskeys: boolean): Promise<SecondFactors> {
  const [totp, passkeys, recoveryCodesLeft] = await Promise.all([
    findTotp(db, userId),
    listPasskeys(db, userId),
    countRecoveryCodes(db, userId),
  ]);
  const totpSince = totp?.confirmed_at?.toISOString() ?? null;
  return { totpSince, passkeys: passkeys.map(toPasskey), recoveryCodesLeft, canUsePasskeys };
}

/** Throws 409 unless a person has a second factor: nobody shuts themselves out of a workspace by requiring one. */
export async function assertSecondFactor(db: Executor, userId: string): Promise<void> {
  if ((await requireUser(db, userId)).second_factor_at !== null) return;
  throw new AppError("CONFLICT", "Set up a second factor for yourself first, in your account.");
}

/** Makes a secret for an authenticator app, which counts once a code has confirmed it; 409 when there is one already. */
export async function beginTotp(
  db: Executor,
  box: SecretBox,
  { userId, sessionId }: Self,
): Promise<{ secret: string; uri: string }> {
  await assertRecent(db, sessionId);
  const { email } = await requireUser(db, userId);
  const secret = newTotpSecret();
  if (!(await putTotp(db, userId, box.seal(secret, totpPlace(userId)))))
    throw new AppError("CONFLICT", "You have an authenticator app already. Remove it to set up another.");
  return { secret, uri: totpUri(secret, email) };
}

/** Confirms the secret by a code. Returns new recovery codes where this is the account's first second factor. */
export async function confirmTotp(
  db: Executor,
  box: SecretBox,
  self: Self,
  code: string,
  address: string,
): Promise<string[] | null> {
  await assertRecent(db, self.sessionId);
  const tries = await assertCodeTries(db, self.userId, address);
  const plain = code.replaceAll(/\s/g, "");
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, self.userId);
    const totp = await findTotp(tx, self.userId);
    if (!totp || totp.confirmed_at !== null)
      throw new AppError("CONFLICT", "Begin to set up an authenticator app first.");
    const secret = box.open(totp.secret, totpPlace(self.userId));
    const step = isTotpCode(plain) ? findStepOf(secret, plain, nowMs()) : null;
    if (step === null || !(await useStep(tx, self.userId, step)))
      throw fieldError("code", "WRONG", "is not the app's code. Is the clock of the phone right?");
    await refundBuckets(tx, tries);
    return addFactor(tx, self, "user.totp_added", null);
  });
}

/**
 * Completes the adding of a factor. With the first one, all other sessions of the account end, and it gets recovery
 * codes.
 */
export async function addFactor(
  tx: Executor,
  { userId, sessionId, actor }: Self,
  action: "user.totp_added" | "user.passkey_added",
  name: string | null,
): Promise<string[] | null> {
  const { had } = await refreshFactor(tx, userId);
  const details = name === null ? {} : { name };
  await recordAccountAudit(tx, userId, { actor, action, target: actor.name, details });
  if (had) return null;
  await markFactorShown(tx, sessionId);
  await deleteSessions(tx, userId, sessionId);
  return issueRecoveryCodes(tx, userId);
}

/** Completes the removal of a factor. Without any left, the recovery codes go, too. */
export async function dropFactor(tx: Executor, userId: string): Promise<void> {
  const { has } = await refreshFactor(tx, userId);
  if (!has) await replaceRecoveryCodes(tx, userId, []);
}

/** Removes a person's own authenticator app; 404 when there is none. */
export async function removeTotp(db: Executor, { userId, sessionId, actor }: Self): Promise<void> {
  await assertRecent(db, sessionId);
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    if (!(await deleteTotp(tx, userId))) throw new AppError("NOT_FOUND", "You have no authenticator app.");
    await dropFactor(tx, userId);
    await recordAccountAudit(tx, userId, { actor, action: "user.totp_removed", target: actor.name });
  });
}

/** Makes new recovery codes in place of the earlier ones; 409 without a second factor. */
export async function renewRecoveryCodes(db: Executor, { userId, sessionId, actor }: Self): Promise<string[]> {
  await assertRecent(db, sessionId);
  return db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user || user.second_factor_at === null) throw new AppError("CONFLICT", "Set up a second factor first.");
    await recordAccountAudit(tx, userId, { actor, action: "user.recovery_codes_renewed", target: actor.name });
    return issueRecoveryCodes(tx, userId);
  });
}

/** Finishes a sign-in by a code; 401 when the password has to be entered again, or the code cannot be used. */
export async function finishSignIn(
  db: Executor,
  box: SecretBox,
  stepToken: string | undefined,
  code: string,
  visitor: Visitor,
): Promise<OpenedSession> {
  const step = stepToken === undefined ? undefined : await findStep(db, "SECOND_FACTOR", stepToken);
  if (!stepToken || !step?.user_id) throw stepIsOver();
  const user = await requireUser(db, step.user_id);
  const tries = await assertCodeTries(db, user.id, visitor.address);
  const opened = await db.transaction().execute(async (tx) => {
    const way = user.disabled_at === null ? await useCode(tx, box, user.id, code) : null;
    if (way === null) return null;
    if (!(await takeStep(tx, "SECOND_FACTOR", stepToken))) throw stepIsOver();
    await refundBuckets(tx, tries);
    const event = { action: "user.signed_in", target: null, details: { secondFactor: way } } as const;
    await recordAudit(tx, { workspaceId: null, actor: toActor(user, visitor), ...event });
    return openSession(tx, user.id, visitor);
  });
  if (opened) return opened;
  await noteRefusal(db, user, visitor);
  throw new AppError("UNAUTHORIZED", "This code is wrong, or was used before. Wait for the app's next one.");
}

/** Confirms who a signed-in person is by their password and, where they have an app, a code. */
export async function confirmSelf(
  db: Executor,
  box: SecretBox,
  { userId, sessionId, actor }: Self,
  { password, code }: { password: string; code?: string | undefined },
): Promise<void> {
  const user = await requireUser(db, userId);
  const tries = await assertOwnTries(db, userId);
  if (!(await checkPassword(password, user.password_hash))) throw await refuseSelf(db, user, actor, "password");
  if (user.second_factor_at !== null) {
    tries.push(...(await assertCodeTries(db, userId, actor.address ?? "")));
    const isRight = code !== undefined && (await useCode(db, box, userId, code)) !== null;
    if (!isRight) throw await refuseSelf(db, user, actor, "code");
    await markFactorShown(db, sessionId);
  }
  await refundBuckets(db, tries);
  await markConfirmed(db, sessionId);
}

/** Takes a code in a session that an identity provider opened by one factor alone; 409 in any other. */
export async function showFactor(
  db: Executor,
  box: SecretBox,
  { userId, sessionId, actor }: Self,
  code: string,
): Promise<void> {
  const user = await requireUser(db, userId);
  const awaits = user.second_factor_at !== null && (await awaitsFactor(db, sessionId));
  if (!awaits) throw new AppError("CONFLICT", "This session needs no code.");
  const tries = await assertCodeTries(db, userId, actor.address ?? "");
  if ((await useCode(db, box, userId, code)) === null) throw await refuseSelf(db, user, actor, "code");
  await refundBuckets(db, tries);
  await markFactorShown(db, sessionId);
  await markConfirmed(db, sessionId);
}

async function refuseSelf(db: Executor, user: UserRow, actor: Actor, path: "password" | "code"): Promise<AppError> {
  await recordAudit(db, { workspaceId: null, actor, action: "user.confirmation_refused", target: user.email });
  return path === "password"
    ? fieldError(path, "WRONG", "is not your password.")
    : fieldError(path, "WRONG", "is wrong, or was used before. Wait for the app's next one, or show a passkey.");
}

/** Removes all second factors of somebody who lost them, for the operator, and ends the account's sessions. */
export async function resetSecondFactors(tx: Executor, email: string, actor: Actor): Promise<{ email: string }> {
  const user = await findUserByEmail(tx, email);
  if (!user) throw new AppError("NOT_FOUND", "There is no such user.");
  await lockUser(tx, user.id);
  await deleteTotp(tx, user.id);
  await deletePasskeys(tx, user.id, null);
  await dropFactor(tx, user.id);
  await deleteSessions(tx, user.id, null);
  await recordAccountAudit(tx, user.id, { actor, action: "user.second_factors_reset", target: user.email });
  return { email: user.email };
}

function stepIsOver(): AppError {
  return new AppError("UNAUTHORIZED", "Enter your e-mail address and password again.");
}
