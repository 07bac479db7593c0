import type { Executor } from "#src/platform/db/database.ts";
import { networkOf } from "#src/platform/kernel/addresses.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { randomText, sha256 } from "#src/platform/kernel/id.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { SealedColumn } from "#src/platform/secrets/sealed-column.ts";
import { countRecoveryCodes, findTotp, putStep, useRecoveryCode, useStep } from "./factor-store.ts";
import { listPasskeys } from "./passkey-store.ts";
import { recoveryHash } from "./recovery-codes.ts";
import { drawBuckets, hasSessionFrom } from "./session-sql.ts";
import { findStepOf, isTotpCode } from "./totp.ts";

/** Ways to finish a sign-in after the password. */
export const STEP_WAYS = ["TOTP", "PASSKEY", "RECOVERY_CODE"] as const;
export type StepWay = (typeof STEP_WAYS)[number];

/** A right password of an account that has a second factor: only this object and the browser's cookie hold the token. */
export interface SecondStep {
  stepToken: string;
  ways: StepWay[];
}

/** Seconds for which the password need not be entered again. */
export const STEP_SECONDS = 600;

/**
 * Buckets of wrong codes: from one address on one account, and from all on one account. At one code in two minutes, who
 * has the password finds a code with a chance of 1 in 450 in a day.
 */
const TRIES = {
  pair: { capacity: 5, perSecond: 1 / 120 },
  account: { capacity: 20, perSecond: 1 / 120 },
};

/** Returns the place that the secret of an account is sealed for. */
export function totpPlace(userId: string): string {
  return `${userId}|user_totp|secret`;
}

/** The secrets of one-time passwords. */
export const SEALED_TOTP: SealedColumn = {
  what: "one-time passwords",
  table: "user_totp",
  key: { user_id: "uuid" },
  read: "secret",
  write: (parameter) => `secret = ${parameter}`,
  place: ({ user_id: userId = "" }) => totpPlace(userId),
};

/** Begins the second step of a sign-in. */
export async function beginSecondStep(tx: Executor, userId: string): Promise<SecondStep> {
  const [totp, passkeys, codes] = await Promise.all([
    findTotp(tx, userId),
    listPasskeys(tx, userId),
    countRecoveryCodes(tx, userId),
  ]);
  const stepToken = randomText(43);
  await putStep(tx, "SECOND_FACTOR", stepToken, { userId, challenge: null, seconds: STEP_SECONDS });
  const has: Record<StepWay, boolean> = {
    TOTP: (totp?.confirmed_at ?? null) !== null,
    PASSKEY: passkeys.length > 0,
    RECOVERY_CODE: codes > 0,
  };
  return { stepToken, ways: STEP_WAYS.filter((way) => has[way]) };
}

/** Uses up a code of an account, of its authenticator app or a recovery code; null when it is none that can be used. */
export async function useCode(tx: Executor, box: SecretBox, userId: string, code: string): Promise<StepWay | null> {
  const plain = code.replaceAll(/\s/g, "");
  if (!isTotpCode(plain)) return (await useRecoveryCode(tx, userId, recoveryHash(plain))) ? "RECOVERY_CODE" : null;
  const totp = await findTotp(tx, userId);
  if (!totp || totp.confirmed_at === null) return null;
  const step = findStepOf(box.open(totp.secret, totpPlace(userId)), plain, nowMs());
  return step !== null && (await useStep(tx, userId, step)) ? "TOTP" : null;
}

/**
 * Draws a try for a code; 429 when there is none left. Returns the buckets for the refund of a right one. Somebody
 * else's wrong codes must not lock a person out: tries from an address where the account is signed in do not count
 * among those of all addresses.
 */
export async function assertCodeTries(db: Executor, userId: string, address: string): Promise<string[]> {
  const isKnown = await hasSessionFrom(db, userId, address);
  const pair = sha256(JSON.stringify([networkOf(address), userId])).toString("base64url");
  const buckets = [
    { name: `code|${pair}`, ...TRIES.pair },
    ...(isKnown ? [] : [{ name: `codes|${userId}`, ...TRIES.account }]),
  ];
  const drawn = await drawBuckets(db, buckets);
  if (drawn.some((bucket) => !bucket.granted)) {
    throw new AppError("RATE_LIMITED", "Too many wrong codes. Wait two minutes, then try the next one.");
  }
  return buckets.map((bucket) => bucket.name);
}
