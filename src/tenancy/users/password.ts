import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";

/** Cost of scrypt: 32 MiB and three rounds, as strong as OWASP's 128 MiB once, at a quarter of the memory. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
const DIGEST_BYTES = 32;
const MIN_CHARACTERS = 10;
const MAX_CHARACTERS = 200;
/** Digests under way at one time. More would take memory and threads from the calls. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 50;

/** Digest of no password: random and not computed, so that it is there at once and cannot fail. */
const DECOY = hashNothing();

let running = 0;
const waiting: (() => void)[] = [];

/** Throws 422 when a new password is too short or too long; there are no other rules. */
export function assertPassword(password: string, path: string): void {
  const length = Array.from(password).length;
  if (length >= MIN_CHARACTERS && length <= MAX_CHARACTERS) return;
  throw fieldError(path, "LENGTH", `must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters.`);
}

/** Returns the text to store for a password: algorithm, parameters, salt, digest. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return write(salt, await derive(password, salt, COST));
}

/** Returns the text to store for an account without a password: a random digest, which no password has. */
export function hashNothing(): string {
  return write(randomBytes(16), randomBytes(DIGEST_BYTES));
}

function write(salt: Buffer, digest: Buffer): string {
  return ["scrypt", Math.log2(COST.N), COST.r, COST.p, salt.toString("base64"), digest.toString("base64")].join("$");
}

/**
 * True when a password matches the stored one. Null stands for an account that does not exist: the check takes as long,
 * and is always false.
 */
export async function checkPassword(password: string, stored: string | null): Promise<boolean> {
  const [name, log2N, r, p, salt, digest] = (stored ?? DECOY).split("$");
  if (name !== "scrypt" || !salt || !digest) return false;
  const wanted = Buffer.from(digest, "base64");
  const given = await derive(password, Buffer.from(salt, "base64"), {
    N: 2 ** Number(log2N),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(given, wanted) && stored !== null;
}

/** True when a stored password was digested with other parameters than today's. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`scrypt$${Math.log2(COST.N)}$${COST.r}$${COST.p}$`);
}

/** Derives a digest. No step of scrypt limits long inputs, so callers bound their length before. */
async function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  await takeTurn();
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const options = { ...cost, maxmem: 256 * cost.N * cost.r };
      scrypt(password.normalize("NFKC"), salt, DIGEST_BYTES, options, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  } finally {
    running--;
    waiting.shift()?.();
  }
}

async function takeTurn(): Promise<void> {
  if (running >= MAX_AT_ONCE) {
    if (waiting.length >= MAX_WAITING) throw new AppError("UNAVAILABLE", "Too many people sign in. Try again soon.");
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running++;
}
