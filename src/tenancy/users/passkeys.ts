import { randomBytes } from "node:crypto";
import type { Executor } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { randomText, uuidv7 } from "#src/platform/kernel/id.ts";
import { recordAccountAudit, recordAudit } from "#src/tenancy/audit/audit.ts";
import { lockUser, markConfirmed, markFactorShown, putStep, type StepKind, takeStep } from "./factor-store.ts";
import {
  deletePasskeys,
  findPasskey,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  recordUse,
  setPasskeyName,
} from "./passkey-store.ts";
import { type Passkey, toPasskey } from "./passkey.ts";
import { assertPasswordsAllowed } from "./password-domains.ts";
import { assertRecent } from "./recency.ts";
import { addFactor, dropFactor, type Self } from "./second-factor.ts";
import { noteRefusal, type OpenedSession, openSession, toActor, type Visitor } from "./sign-in.ts";
import { requireUser } from "./users.ts";
import {
  ALGORITHMS,
  checkNewPasskey,
  checkPasskey,
  type NewPasskeyAnswer,
  type PasskeyAnswer,
  type RelyingParty,
} from "./webauthn.ts";

/** Seconds for which a challenge can be answered: a person may have to find their key. */
const CHALLENGE_SECONDS = 300;
const MAX_PASSKEYS = 20;

/** Returns the relying party; 409 where browsers offer no passkeys. */
export function requireParty(party: RelyingParty | null): RelyingParty {
  if (party) return party;
  const message = "Passkeys need a host name and https (or localhost). PARLEY_URL is neither.";
  throw new AppError("CONFLICT", message);
}

/** Returns the options for a new passkey of a signed-in person (WebAuthn, 5.4), bound to their session. */
export async function beginPasskey(db: Executor, party: RelyingParty, { userId, sessionId }: Self): Promise<object> {
  await assertRecent(db, sessionId);
  const [{ email, name }, passkeys] = await Promise.all([requireUser(db, userId), listPasskeys(db, userId)]);
  if (passkeys.length >= MAX_PASSKEYS)
    throw new AppError("CONFLICT", `You have ${MAX_PASSKEYS} passkeys. Delete one first.`);
  return {
    rp: { id: party.id, name: "Parley" },
    user: { id: handleOf(userId), name: email, displayName: name },
    challenge: await putChallenge(db, "PASSKEY_NEW", sessionId, userId),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: CHALLENGE_SECONDS * 1_000,
    attestation: "none",
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    excludeCredentials: passkeys.map((row) => ({
      type: "public-key",
      id: row.credential_id.toString("base64url"),
      transports: row.transports,
    })),
  };
}

/** Stores a new passkey. Returns recovery codes with it where it is the account's first second factor. */
export async function createPasskey(
  db: Executor,
  party: RelyingParty,
  self: Self,
  { name, answer }: { name: string; answer: NewPasskeyAnswer },
): Promise<{ passkey: Passkey; recoveryCodes: string[] | null }> {
  await assertRecent(db, self.sessionId);
  const challenge = await takeChallenge(db, "PASSKEY_NEW", self.sessionId);
  const made = checkNewPasskey(answer, { party, challenge });
  if (!made) throw new AppError("VALIDATION_FAILED", "The answer of the passkey cannot be accepted. Try again.");
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, self.userId);
    const { transports } = answer.response;
    const row = await insertPasskey(tx, { ...made, id: uuidv7(), userId: self.userId, name: name.trim(), transports });
    if (!row) throw new AppError("CONFLICT", "This passkey is registered already.");
    const recoveryCodes = await addFactor(tx, self, "user.passkey_added", row.name);
    return { passkey: toPasskey(row), recoveryCodes };
  });
}

/** Renames a person's own passkey; 404 when there is none. */
export async function renamePasskey(tx: Executor, { userId, actor }: Self, id: string, name: string): Promise<Passkey> {
  const row = await setPasskeyName(tx, userId, id, name.trim());
  if (!row) throw noPasskey();
  const details = { name: row.name };
  await recordAudit(tx, { workspaceId: null, actor, action: "user.passkey_renamed", target: actor.name, details });
  return toPasskey(row);
}

/** Deletes a person's own passkey; 404 when there is none. */
export async function deletePasskey(db: Executor, { userId, sessionId, actor }: Self, id: string): Promise<void> {
  await assertRecent(db, sessionId);
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    const [row] = await deletePasskeys(tx, userId, id);
    if (!row) throw noPasskey();
    await dropFactor(tx, userId);
    const details = { name: row.name };
    await recordAccountAudit(tx, userId, { actor, action: "user.passkey_deleted", target: actor.name, details });
  });
}

/**
 * Returns the options for a sign-in by passkey (WebAuthn, 5.5), and the token of the browser that may answer. No account
 * is named, so nobody learns who has one: the authenticator offers the passkeys that it has for this host.
 */
export async function beginPasskeySignIn(
  db: Executor,
  party: RelyingParty,
): Promise<{ options: object; stepToken: string }> {
  const stepToken = randomText(43);
  const challenge = await putChallenge(db, "PASSKEY_SIGN_IN", stepToken, null);
  return { options: requestOptions(party, challenge, []), stepToken };
}

/** Signs in by a passkey, which counts as both factors: the device, and the person whom it verified. */
export async function signInByPasskey(
  db: Executor,
  party: RelyingParty,
  stepToken: string | undefined,
  answer: PasskeyAnswer,
  visitor: Visitor,
): Promise<OpenedSession> {
  const challenge = await takeChallenge(db, "PASSKEY_SIGN_IN", stepToken);
  const row = await findPasskey(db, Buffer.from(answer.id, "base64url"));
  const user = row && (await requireUser(db, row.user_id));
  const proof = row && proves(answer, row, party, challenge);
  if (!user || !proof || user.disabled_at !== null) {
    await noteRefusal(db, user, visitor);
    throw refused();
  }
  // A passkey made before must not let in a person who signs in by their company's provider alone.
  await assertPasswordsAllowed(db, user.email);
  return db.transaction().execute(async (tx) => {
    const hasRegressed = await recordUse(tx, row.id, proof);
    const details = { secondFactor: "PASSKEY", name: row.name, ...(hasRegressed ? { counterWentBack: true } : {}) };
    const actor = toActor(user, visitor);
    await recordAudit(tx, { workspaceId: null, actor, action: "user.signed_in", target: null, details });
    return openSession(tx, user.id, visitor);
  });
}

/** Returns the options with which a signed-in person confirms by a passkey of theirs who they are. */
export async function beginPasskeyConfirmation(db: Executor, party: RelyingParty, self: Self): Promise<object> {
  const passkeys = await listPasskeys(db, self.userId);
  if (passkeys.length === 0) throw noPasskey();
  return requestOptions(party, await putChallenge(db, "PASSKEY_CONFIRM", self.sessionId, self.userId), passkeys);
}

/** Confirms by a passkey who a signed-in person is. */
export async function confirmByPasskey(
  db: Executor,
  party: RelyingParty,
  { userId, sessionId }: Self,
  answer: PasskeyAnswer,
): Promise<void> {
  const challenge = await takeChallenge(db, "PASSKEY_CONFIRM", sessionId);
  const row = await findPasskey(db, Buffer.from(answer.id, "base64url"));
  const proof = row?.user_id === userId ? proves(answer, row, party, challenge) : null;
  if (!row || !proof) throw new AppError("FORBIDDEN", "This passkey does not show that it is you.");
  await recordUse(db, row.id, proof);
  await markFactorShown(db, sessionId);
  await markConfirmed(db, sessionId);
}

function proves(answer: PasskeyAnswer, row: PasskeyRow, party: RelyingParty, challenge: string) {
  const { userHandle } = answer.response;
  if (userHandle !== undefined && userHandle !== handleOf(row.user_id)) return null;
  return checkPasskey(answer, row.public_key, { party, challenge });
}

function requestOptions({ id }: RelyingParty, challenge: string, passkeys: PasskeyRow[]): object {
  return {
    challenge,
    rpId: id,
    userVerification: "required",
    timeout: CHALLENGE_SECONDS * 1_000,
    allowCredentials: passkeys.map((row) => ({
      type: "public-key",
      id: row.credential_id.toString("base64url"),
      transports: row.transports,
    })),
  };
}

async function putChallenge(db: Executor, kind: StepKind, holder: string, userId: string | null): Promise<string> {
  const challenge = randomBytes(32).toString("base64url");
  await putStep(db, kind, holder, { userId, challenge, seconds: CHALLENGE_SECONDS });
  return challenge;
}

/** Uses a challenge up, whatever the answer turns out to be. */
async function takeChallenge(db: Executor, kind: StepKind, holder: string | undefined): Promise<string> {
  const step = holder === undefined ? undefined : await takeStep(db, kind, holder);
  if (!step?.challenge) throw new AppError("CONFLICT", "This took too long, or was answered before. Begin again.");
  return step.challenge;
}

/** Handle of an account for authenticators: its id, which says nothing about the person. */
function handleOf(userId: string): string {
  return Buffer.from(userId.replaceAll("-", ""), "hex").toString("base64url");
}

function noPasskey(): AppError {
  return new AppError("NOT_FOUND", "There is no such passkey.");
}

function refused(): AppError {
  return new AppError("UNAUTHORIZED", "This passkey does not open an account here.");
}
