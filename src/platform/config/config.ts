import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { join, resolve } from "node:path";
import { isLogLevel, listSourceFolders, type LogLevel, type LogLevels } from "#src/platform/kernel/log.ts";
import { type BucketSettings, readRecordingBucket } from "./bucket-settings.ts";
import { ConfigError, type Environment, readBaseUrl, readFlag, readInteger, withoutLineEnds } from "./environment.ts";
import { readSipSettings, type SipSettings } from "./sip-settings.ts";
import { readSpeechSettings, type SpeechSettings } from "./speech-settings.ts";
import { readTelemetrySettings, type TelemetrySettings } from "./telemetry-settings.ts";

export { ConfigError } from "./environment.ts";

/** The roles a process can take. */
export const ROLES = ["api", "dispatch", "jobs"] as const;
export type Role = (typeof ROLES)[number];

/** Names of ranges that TRUST_PROXY takes as well (proxy-addr). */
const PROXY_RANGES = new Set(["loopback", "linklocal", "uniquelocal"]);

/** Every setting of the process, read once at start. */
export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /** Undefined: the embedded database below `dataDir`. */
  databaseUrl: string | undefined;
  /** True when a pooler stands in front of the database. Undefined: detected at the start. */
  databasePooler: boolean | undefined;
  /** Base of every URL given out; never taken from a request's Host header. */
  publicUrl: string;
  /** Base URL at which the other nodes of the installation reach this one, to pass its calls' audio to supervisors. */
  nodeUrl: string;
  allowPrivateNetwork: boolean;
  /** host:port pairs that guarded outbound requests may reach although they are private. */
  outboundAllow: string[];
  /** Undefined: generated into `dataDir`. */
  secret: string | undefined;
  /** The former secret, while the installation changes over to `secret`. */
  previousSecret: string | undefined;
  trustProxy: string | undefined;
  /** Token that reads /metrics. Undefined: machines of the same private network read it without one. */
  metricsToken: string | undefined;
  logLevels: LogLevels;
  telemetry: TelemetrySettings;
  /** Undefined: the sandbox carrier runs inside this process. */
  sandboxCarrierUrl: string | undefined;
  roles: Role[];
  /** The most calls that this process holds. */
  maxLiveCalls: number;
  /** The most calls whose audio this process carries; further ones wait before they ring. */
  maxAudioCalls: number;
  /** Seconds that live calls may go on when the process is stopped. */
  drainSeconds: number;
  /** The most MiB of disk that uploads take while they are processed; one workspace may take half of it. */
  uploadSpoolMib: number;
  batchSttProviders: BatchSttSettings;
  speech: SpeechSettings;
  sip: SipSettings;
  recordings: RecordingSettings;
  retention: Retention;
  /** Lets people sign in over plain http from other machines, who then show their password to the network. */
  insecureSignIn: boolean;
  /** Checks every reply against its declared schema: for tests and development. */
  checkReplies: boolean;
  /** Adds the fixture tools that the MCP conformance suite calls: for its test run alone. */
  mcpTestTools: boolean;
}

/** Recordings of real audio. */
export interface RecordingSettings {
  /** All nodes read and write this folder; with a bucket, recordings wait in it, and each node may have its own. */
  folder: string;
  /** Finished recordings are moved there. */
  bucket: BucketSettings | undefined;
  /** True when new files are encrypted, with a key derived from the secret. */
  seals: boolean;
  /** After this many days they are deleted; 0: never. */
  retentionDays: number;
}

/** Days for which a server keeps records of its own work. */
export interface Retention {
  /** Days that finished tasks are kept. */
  taskDays: number;
  /** Days that finished webhook deliveries and their attempts are kept. */
  webhookDays: number;
  /** Days that events are kept; digests and the dashboard's stream read them. */
  eventDays: number;
  /** Days that single ledger entries are kept; their daily sums stay. */
  usageDays: number;
  /** Days that runs of automations and their artifacts are kept. */
  artifactDays: number;
}

/** Providers of batch transcription; an undefined one cannot be used. */
export interface BatchSttSettings {
  openAi: { baseUrl: string; apiKey: string | undefined; model: string } | undefined;
  deepgram: { baseUrl: string; apiKey: string; model: string } | undefined;
}

/**
 * Reads the settings from environment variables, and the machine's addresses when the server listens on all of them.
 * Throws `ConfigError` for a value that cannot be used.
 */
export function readConfig(given: Environment, roles: Role[] = [...ROLES]): Config {
  const env = withoutLineEnds(given);
  const port = readInteger(env, "PORT", 8080, 1, 65_535);
  const host = env.HOST || "127.0.0.1";
  const dataDir = resolve(env.DATA_DIR || "./data");
  return {
    port,
    host,
    dataDir,
    databaseUrl: readDatabaseUrl(env.DATABASE_URL),
    databasePooler: env.DATABASE_POOLER ? readFlag(env, "DATABASE_POOLER") : undefined,
    publicUrl: readPublicUrl(env.PARLEY_URL, host, port),
    nodeUrl: readBaseUrl(env.PARLEY_NODE_URL, "PARLEY_NODE_URL", `http://${nameForNodes(host)}:${port}`),
    allowPrivateNetwork: readFlag(env, "ALLOW_PRIVATE_NETWORK"),
    outboundAllow: (env.OUTBOUND_ALLOW ?? "")
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
    secret: readSecret(given, "PARLEY_SECRET"),
    previousSecret: readPreviousSecret(given),
    trustProxy: readProxies(env.TRUST_PROXY),
    metricsToken: readSecret(env, "METRICS_TOKEN"),
    logLevels: readLogLevels(env.LOG_LEVEL),
    telemetry: readTelemetrySettings(env),
    sandboxCarrierUrl: env.SANDBOX_CARRIER_URL
      ? readBaseUrl(env.SANDBOX_CARRIER_URL, "SANDBOX_CARRIER_URL", "http://127.0.0.1:8090")
      : undefined,
    roles,
    maxLiveCalls: readInteger(env, "MAX_LIVE_CALLS", 1000, 1, 100_000),
    maxAudioCalls: readInteger(env, "MAX_AUDIO_CALLS", 400, 1, 10_000),
    drainSeconds: readInteger(env, "DRAIN_SECONDS", 900, 0, 86_400),
    uploadSpoolMib: readInteger(env, "UPLOAD_SPOOL_MIB", 4_096, 1, 1_048_576),
    batchSttProviders: readBatchStt(env),
    speech: readSpeechSettings(env),
    sip: readSipSettings(env),
    recordings: {
      folder: resolve(env.RECORDINGS_DIR || join(dataDir, "recordings")),
      bucket: readRecordingBucket(env),
      seals: readFlag(env, "SEAL_RECORDINGS"),
      retentionDays: readInteger(env, "RECORDING_RETENTION_DAYS", 0, 0, 36_500),
    },
    retention: {
      taskDays: readInteger(env, "TASK_RETENTION_DAYS", 7, 1, 36_500),
      webhookDays: readInteger(env, "WEBHOOK_RETENTION_DAYS", 30, 5, 36_500),
      eventDays: readInteger(env, "EVENT_RETENTION_DAYS", 30, 1, 36_500),
      usageDays: readInteger(env, "USAGE_RETENTION_DAYS", 400, 31, 36_500),
      artifactDays: readInteger(env, "ARTIFACT_RETENTION_DAYS", 400, 1, 36_500),
    },
    insecureSignIn: readFlag(env, "ALLOW_INSECURE_SIGN_IN"),
    checkReplies: readFlag(env, "CHECK_REPLIES"),
    mcpTestTools: readFlag(env, "MCP_TEST_TOOLS"),
  };
}

/** Reads the batch STT providers. A self-hosted server may need no key; the provider's own always does. */
function readBatchStt(env: Record<string, string | undefined>): BatchSttSettings {
  const { OPENAI_API_KEY: openAiKey, OPENAI_BASE_URL: openAiUrl, DEEPGRAM_API_KEY: deepgramKey } = env;
  const openAi = {
    baseUrl: readBaseUrl(openAiUrl, "OPENAI_BASE_URL", "https://api.openai.com/v1"),
    apiKey: openAiKey || undefined,
    model: env.TRANSCRIPTION_MODEL || "whisper-1",
  };
  const deepgramUrl = readBaseUrl(env.DEEPGRAM_URL, "DEEPGRAM_URL", "https://api.deepgram.com");
  const deepgram = { baseUrl: deepgramUrl, apiKey: deepgramKey ?? "", model: env.DEEPGRAM_MODEL || "nova-3" };
  return { openAi: openAiKey || openAiUrl ? openAi : undefined, deepgram: deepgramKey ? deepgram : undefined };
}

function readDatabaseUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (!/^postgres(ql)?:\/\//.test(text)) {
    throw new ConfigError("DATABASE_URL must start with postgres:// or postgresql://.");
  }
  return text;
}

/** Reads addresses and networks, separated by commas. A name is refused: a proxy is known by its address alone. */
function readProxies(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const parts = text.split(",").map((part) => part.trim());
  const wrong = parts.find((part) => isIP(part.replace(/\/.*$/, "")) === 0 && !PROXY_RANGES.has(part));
  if (wrong === undefined) return text;
  throw new ConfigError(`TRUST_PROXY takes addresses and networks such as 10.0.0.0/8, not "${wrong}".`);
}

/**
 * Returns the host under which other nodes reach this one. A server that listens on all addresses is reached at the
 * machine's first external IPv4 address.
 */
function nameForNodes(host: string): string {
  if (host !== "0.0.0.0" && host !== "::") return host.includes(":") ? `[${host}]` : host;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
}

function readPublicUrl(text: string | undefined, host: string, port: number): string {
  if (!text) {
    const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
    return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigError(`PARLEY_URL must be an origin such as https://parley.example.com, not "${text}".`);
  }
  if (!/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.search || url.hash || url.username) {
    throw new ConfigError(`PARLEY_URL must be an origin without a path, such as https://parley.example.com.`);
  }
  return url.origin;
}

function readSecret(env: Record<string, string | undefined>, name: string): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (text.length < 16 || text.trim() === "") throw new ConfigError(`${name} must have at least 16 characters.`);
  return text;
}

function readPreviousSecret(env: Record<string, string | undefined>): string | undefined {
  const text = readSecret(env, "PARLEY_SECRET_PREVIOUS");
  if (text !== undefined && !env.PARLEY_SECRET) {
    throw new ConfigError("PARLEY_SECRET_PREVIOUS needs PARLEY_SECRET, the secret that follows it.");
  }
  return text;
}

/** Reads one level for all lines, and levels of single rooms: `info,dispatch=debug`. */
function readLogLevels(text: string | undefined): LogLevels {
  const parts = (text || "warn").split(",").map((part) => part.trim());
  const folders: Record<string, LogLevel> = {};
  let level: LogLevel = "warn";
  for (const part of parts) {
    const [name, word] = part.includes("=") ? part.split("=", 2) : [null, part];
    if (!isLogLevel(word ?? "")) {
      throw new ConfigError(
        "LOG_LEVEL must be debug, info, warn, error or silent, also for rooms: info,dispatch=debug.",
      );
    }
    if (name === null) level = word as LogLevel;
    else folders[name as string] = word as LogLevel;
  }
  assertFolders(Object.keys(folders));
  return { level, folders };
}

function assertFolders(names: string[]): void {
  if (names.length === 0) return;
  const known = new Set(listSourceFolders());
  const wrong = names.find((name) => !known.has(name));
  if (wrong === undefined) return;
  throw new ConfigError(
    `LOG_LEVEL names "${wrong}", which is no room: docs/monitoring.md says where to find their names.`,
  );
}
