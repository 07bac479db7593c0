import { randomInt } from "node:crypto";
import type { Executor } from "#src/platform/db/database.ts";
import { sha256 } from "#src/platform/kernel/id.ts";
import { replaceRecoveryCodes } from "./factor-store.ts";

const COUNT = 10;
/** 79 bits: too many to try against a stolen digest. */
const LETTERS = 16;
/** Without letters that look like others. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** Makes ten new recovery codes, which replace the earlier ones. Only their digests are stored. */
export async function issueRecoveryCodes(tx: Executor, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, makeCode);
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => recoveryHash(code)),
  );
  return codes;
}

/** Returns the digest of a recovery code, however it is typed. */
export function recoveryHash(code: string): Buffer {
  return sha256(`recovery|${code.toLowerCase().replaceAll(/[\s-]/g, "")}`);
}

function makeCode(): string {
  const letters = Array.from({ length: LETTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return (letters.match(/.{4}/g) ?? []).join("-");
}
