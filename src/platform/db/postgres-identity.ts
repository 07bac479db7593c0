import { execFile } from "node:child_process";
import { chownSync } from "node:fs";
import { promisify } from "node:util";
import { toError } from "#src/platform/kernel/errors.ts";
import { isMusl } from "./postgres-binaries.ts";
import { PostgresFault } from "./postgres-fault.ts";

const run = promisify(execFile);

/**
 * The identity PostgreSQL runs under, since it refuses to run as root: the user who starts it, another account, or
 * root's files seen from a user namespace in which root is an ordinary user.
 */
export type Identity = { kind: "SELF" } | { kind: "ACCOUNT"; uid: number; gid: number } | { kind: "NAMESPACE" };

/** The numbers of a user and a group. */
export interface Owner {
  uid: number;
  gid: number;
}

/** `nobody` and `nogroup` on every Linux distribution. */
const NOBODY: Identity = { kind: "ACCOUNT", uid: 65_534, gid: 65_534 };
const NAMESPACE: Identity = { kind: "NAMESPACE" };

/** A program with its arguments and process options, as `spawn` and `execFile` take them. */
export interface Command {
  file: string;
  args: string[];
  options: { env: Record<string, string>; uid?: number; gid?: number };
}

/** Returns the command that runs a program as `identity`, with only PATH kept from our environment. */
export function commandAs(identity: Identity, file: string, args: string[]): Command {
  const env = { PATH: process.env.PATH || "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  if (identity.kind === "SELF") return { file, args, options: { env } };
  if (identity.kind === "ACCOUNT") return { file, args, options: { env, uid: identity.uid, gid: identity.gid } };
  const unshare = ["--user", "--map-user=1000", "--map-group=1000", "--", file, ...args];
  return { file: "unshare", args: unshare, options: { env } };
}

/** Returns the owner of the files that `identity` writes, as seen from outside a namespace. */
export function ownerOf(identity: Identity): Owner {
  if (identity.kind === "ACCOUNT") return { uid: identity.uid, gid: identity.gid };
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

/**
 * Picks the identity. `owner` owns the database files, undefined before there are any; it decides, so that a later
 * start does not pick another identity. Then nothing is tried, which would hold up each start: the database shows
 * whether it runs, and `assertRuns` why not. Throws `PostgresFault` when none works.
 */
export async function chooseIdentity(postgres: string, folder: string, owner: Owner | undefined): Promise<Identity> {
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0 && owner !== undefined && owner.uid !== uid) {
    throw new PostgresFault(
      "WRONG_OWNER",
      `The database files in ${folder} belong to user ${owner.uid}, and this is user ${uid}. Start as that user, or as root.`,
    );
  }
  const identities = candidates(uid, owner);
  return owner && identities[0] ? identities[0] : findRunning(identities, postgres, folder);
}

/** Throws a `PostgresFault` that says why PostgreSQL cannot run as `identity`, if so. */
export async function assertRuns(identity: Identity, postgres: string, folder: string): Promise<void> {
  await findRunning([identity], postgres, folder);
}

async function findRunning(identities: Identity[], postgres: string, folder: string): Promise<Identity> {
  const failures: string[] = [];
  for (const identity of identities) {
    const failure = await probe(identity, postgres, folder);
    if (failure === undefined) return identity;
    failures.push(`${identity.kind.toLowerCase()}: ${failure}`);
  }
  throw noIdentity(folder, failures);
}

function candidates(uid: number, owner: Owner | undefined): Identity[] {
  if (uid !== 0) return [{ kind: "SELF" }];
  if (process.platform !== "linux") return [];
  if (owner === undefined) return [NOBODY, NAMESPACE];
  return owner.uid === 0 ? [NAMESPACE] : [{ kind: "ACCOUNT", ...owner }];
}

/**
 * Tests an identity by running PostgreSQL under it, which file modes cannot predict: `nobody` can neither load the
 * libraries of a checkout below a 0700 home nor enter a data folder there. Returns the reason of a failure, or
 * undefined.
 */
async function probe(identity: Identity, postgres: string, folder: string): Promise<string | undefined> {
  const { file, args, options } = commandAs(identity, "/bin/sh", [
    "-c",
    'cd -- "$1" && exec "$2" --version',
    "sh",
    folder,
    postgres,
  ]);
  try {
    await run(file, args, { ...options, timeout: 20_000 });
    return undefined;
  } catch (error) {
    const stderr = (error as { stderr?: string }).stderr?.trim();
    return (stderr || toError(error).message).split("\n").at(-1);
  }
}

function noIdentity(folder: string, failures: string[]): PostgresFault {
  if (isMusl()) {
    return new PostgresFault(
      "PLATFORM_UNSUPPORTED",
      "The embedded database needs a Linux with glibc; this one has musl (Alpine).",
    );
  }
  const tried = failures.length === 0 ? "" : ` Tried: ${failures.join("; ")}.`;
  if (process.getuid?.() !== 0) {
    return new PostgresFault("START_FAILED", `The embedded database does not run on this machine.${tried}`);
  }
  return new PostgresFault(
    "NO_IDENTITY",
    `PostgreSQL does not run as root, and no other user can reach ${folder} and the checkout.${tried} ` +
      "Start as an ordinary user, or let others pass through these folders (chmod o+x).",
  );
}

/** Hands a folder to the identity's account; does nothing for the others. Throws what `chown` throws. */
export function handOver(identity: Identity, folder: string): void {
  if (identity.kind === "ACCOUNT") chownSync(folder, identity.uid, identity.gid);
}
