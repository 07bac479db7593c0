import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** Absolute path of the checkout. */
export const ROOT = resolve(import.meta.dirname, "../..");

/** Folder of the interface documents that carriers and model providers publish; PARLEY_CONTRACTS names another. */
const CONTRACTS = process.env.PARLEY_CONTRACTS ?? resolve(ROOT, "../shared/contracts");

/** Documents of the contracts folder that a test reads. */
export interface Contracts {
  /** True when each of the named documents is there. */
  areThere: boolean;
  /** Suffix for the titles of tests that are skipped without them; empty when they are there. */
  why: string;
  /** Returns the absolute path of a document. */
  path: (name: string) => string;
}

/** Looks for the named documents; a clone without them skips the tests that need them. */
export function findContracts(...names: string[]): Contracts {
  const path = (name: string): string => join(CONTRACTS, name);
  const missing = names.filter((name) => !existsSync(path(name)));
  const why = ` (skipped: ${missing.join(", ")} not found in ${CONTRACTS}; set PARLEY_CONTRACTS)`;
  return { areThere: missing.length === 0, why: missing.length === 0 ? "" : why, path };
}
