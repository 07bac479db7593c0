import type { Parley, ParleyOptions, RetryNotice } from "@parley/sdk";
import { RateLimitError } from "@parley/sdk/errors";
import { CliError, EXIT } from "./exit-codes.ts";
import { isSameServer, type Profile, profilePath, readProfiles } from "./profile.ts";
import type { Run } from "./run.ts";
import { dataDirOf, readServerAddress, serverNotRunning } from "./server-address.ts";
import { printable } from "./table.ts";

/** A client of the API with the key to use. `mode` is undefined when only a key is known. */
export interface ApiSession {
  client: Parley;
  url: string;
  mode: Profile["mode"];
}

/**
 * Finds the server and the key. Server: --profile, PARLEY_URL, the running server of DATA_DIR, the latest profile. Key:
 * --profile, PARLEY_API_KEY, the profile stored for that server.
 */
export async function openApi(run: Run): Promise<ApiSession> {
  const found = findProfile(run);
  // Where nothing answers, a key would not help.
  if (!found.apiKey && !(await answers(found.url))) throw serverNotRunning(`${found.url}${sayNotStarted(run)}`);
  const profile = requireKey(run, found);
  run.credential = profile.source;
  const client = await createClient({
    baseUrl: profile.url,
    apiKey: profile.apiKey,
    onRetry: (notice) => printRetry(run, notice),
    onWarning: ({ path, message }) => run.warn(`${printable(path)}: ${printable(message)}`),
  });
  return { client, url: profile.url, mode: profile.mode };
}

/** Returns the profile that `findProfile` finds; an error that names the ways to a key when it has none. */
export function requireKey(run: Run, profile = findProfile(run)): ReturnType<typeof findProfile> {
  if (/^[!-~]+$/.test(profile.apiKey)) return profile;
  if (profile.apiKey) {
    const way = "put in the one that parley workspace create or parley key create printed";
    throw new CliError(
      EXIT.AUTH,
      `${profile.source} holds no key, but perhaps a placeholder such as svc_live_…: ${way}.`,
    );
  }
  throw new CliError(
    EXIT.AUTH,
    `No API key for ${profile.url}.${sayOthers(run)} Make a workspace with: parley workspace create --name NAME --sample, or set PARLEY_API_KEY.`,
  );
}

/** Longest wait for a sign of life. */
const ANSWER_MS = 3_000;

async function answers(url: string): Promise<boolean> {
  return fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) }).then(
    () => true,
    () => false,
  );
}

/** Says that nothing names a server: its address is a guess. */
function sayNotStarted({ system: { env } }: Run): string {
  if (env.PARLEY_URL || readServerAddress(env)) return "";
  return `; none has started in ${dataDirOf(env)}: DATA_DIR names another folder, PARLEY_URL another server`;
}

/** Names the servers for which keys are kept: the address may be wrong, and not the key missing. */
function sayOthers({ system }: Run): string {
  const urls = readProfiles(profilePath(system.env)).map(({ url }) => url);
  return urls.length > 0 ? ` Keys are kept for ${urls.join(", ")}: PARLEY_URL chooses one of them.` : "";
}

/** Makes a client. Its module brings a third of all others: commands that send nothing, such as --help, do without. */
export async function createClient(options: ParleyOptions): Promise<Parley> {
  const sdk = await import("@parley/sdk");
  return new sdk.Parley(options);
}

/**
 * Returns the profile that the options and the environment select, and where its key is from; the key is empty when none
 * is known.
 */
export function findProfile(run: Run): Profile & { source: string } {
  const { env } = run.system;
  const chosen = run.options.profile;
  if (chosen !== undefined) {
    const [profile] = readProfiles(chosen);
    if (!profile) throw new CliError(EXIT.USAGE, `There is no profile ${chosen}.`);
    return { ...profile, source: `the profile ${chosen}` };
  }
  const path = profilePath(env);
  const kept = readProfiles(path);
  const url = readUrl(env) || readServerAddress(env)?.url || kept[0]?.url || "http://127.0.0.1:8080";
  const profile = kept.find((other) => isSameServer(other.url, url));
  const apiKey = env.PARLEY_API_KEY;
  // Another key may belong to another workspace, so the rest of the profile does not apply.
  if (apiKey && apiKey !== profile?.apiKey) return { url, apiKey, source: "PARLEY_API_KEY" };
  return { ...(profile ?? { url, apiKey: "" }), source: apiKey ? "PARLEY_API_KEY" : `the profile ${path}` };
}

/** Returns the server of PARLEY_URL; the address of its API, as the server prints it, means the same server. */
function readUrl({ PARLEY_URL: given }: Run["system"]["env"]): string | undefined {
  if (!given) return undefined;
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) {
    throw new CliError(EXIT.USAGE, `PARLEY_URL must be an address such as https://parley.example.com, not ${given}.`);
  }
  return given.replace(/\/+$/, "").replace(/\/api\/external\/v1$/, "");
}

function printRetry(run: Run, { error, waitMs }: RetryNotice): void {
  const why = error instanceof RateLimitError ? "Rate limited." : error.message;
  run.note(run.paint("dim", `${why} Trying again in ${Math.ceil(waitMs / 1000)} s.`));
}
