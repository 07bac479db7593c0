import { networkInterfaces } from "node:os";
import { join, resolve } from "node:path";
import { isLogLevel, type LogLevel } from "#src/platform/kernel/log.ts";
import { ConfigError, readBaseUrl, readFlag, readInteger } from "./environment.ts";
import { readSipSettings, type SipSettings } from "./sip-settings.ts";
import { readSpeechSettings, type SpeechSettings } from "./speech-settings.ts";

export { ConfigError } from "./environment.ts";

/** The roles a process can take (design section 1). */
export const ROLES = ["api", "dispatch", "jobs"] as const;
export type Role = (typeof ROLES)[number];

/** Every setting of the process, read once at start. */
export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /** Undefined: the embedded database below `dataDir`. */
  databaseUrl: string | undefined;
  /** Whether a pooler stands in front of it. Undefined: found out at the start. */
  databasePooler: boolean | undefined;
  /** Base of every URL given out; never taken from a request's Host header. */
  publicUrl: string;
  /** Where the other nodes of the installation reach this one: they carry the audio of its calls to their supervisors. */
  nodeUrl: string;
  allowPrivateNetwork: boolean;
  /** host:port pairs that guarded outbound requests may reach although they are private. */
  outboundAllow: string[];
  /** Undefined: generated into `dataDir`. */
  secret: string | undefined;
  trustProxy: string | undefined;
  logLevel: LogLevel;
  /** Undefined: the sandbox carrier runs inside this process. */
  sandboxCarrierUrl: string | undefined;
  roles: Role[];
  /** How many calls this process holds at most. */
  maxLiveCalls: number;
  /** Calls whose audio this process carries at most; further ones wait before they ring. */
  maxAudioCalls: number;
  /** MiB of the disk that uploads take at most while they are worked on; half of it those of one workspace. */
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
  /** All nodes read and write this folder. */
  folder: string;
  /** Whether new files are encrypted, with a key that comes from the secret. */
  seals: boolean;
  /** After this many days they are deleted; 0: never. */
  retentionDays: number;
}

/** Days for which a server keeps what it wrote down of its own work. */
export interface Retention {
  /** Of tasks that are over. */
  taskDays: number;
  /** Of deliveries of webhooks that are over, and of their attempts. */
  webhookDays: number;
  /** Of what happened, as digests and the dashboard's stream read it. */
  eventDays: number;
  /** Of single entries of the ledger; their sums by day stay. */
  usageDays: number;
}

/** Providers of transcription; an undefined one cannot be used. */
export interface BatchSttSettings {
  openAi: { baseUrl: string; apiKey: string | undefined; model: string } | undefined;
  deepgram: { baseUrl: string; apiKey: string; model: string } | undefined;
}

/**
 * Reads the settings from environment variables. Takes the environment (and, for a server that listens everywhere, the
 * machine's addresses), gives the config or throws `ConfigError`.
 */
export function readConfig(env: Record<string, string | undefined>, roles: Role[] = [...ROLES]): Config {
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
    secret: readSecret(env.PARLEY_SECRET),
    trustProxy: env.TRUST_PROXY || undefined,
    logLevel: readLogLevel(env.LOG_LEVEL),
    sandboxCarrierUrl: env.SANDBOX_CARRIER_URL || undefined,
    roles,
    maxLiveCalls: readInteger(env, "MAX_LIVE_CALLS", 1000, 1, 100_000),
    maxAudioCalls: readInteger(env, "MAX_AUDIO_CALLS", 400, 1, 10_000),
    uploadSpoolMib: readInteger(env, "UPLOAD_SPOOL_MIB", 4_096, 1, 1_048_576),
    batchSttProviders: readBatchStt(env),
    speech: readSpeechSettings(env),
    sip: readSipSettings(env),
    recordings: {
      folder: resolve(env.RECORDINGS_DIR || join(dataDir, "recordings")),
      seals: readFlag(env, "SEAL_RECORDINGS"),
      retentionDays: readInteger(env, "RECORDING_RETENTION_DAYS", 0, 0, 36_500),
    },
    retention: {
      taskDays: readInteger(env, "TASK_RETENTION_DAYS", 7, 1, 36_500),
      webhookDays: readInteger(env, "WEBHOOK_RETENTION_DAYS", 30, 5, 36_500),
      eventDays: readInteger(env, "EVENT_RETENTION_DAYS", 30, 1, 36_500),
      usageDays: readInteger(env, "USAGE_RETENTION_DAYS", 400, 31, 36_500),
    },
    insecureSignIn: readFlag(env, "ALLOW_INSECURE_SIGN_IN"),
    checkReplies: readFlag(env, "CHECK_REPLIES"),
    mcpTestTools: readFlag(env, "MCP_TEST_TOOLS"),
  };
}

/** A server of one's own may ask for no key; the provider's own always does. */
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

/** A server that listens everywhere is reached at the first address of its machine that is not its own loopback. */
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

function readSecret(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (text.length < 16) throw new ConfigError("PARLEY_SECRET must have at least 16 characters.");
  return text;
}

function readLogLevel(text: string | undefined): LogLevel {
  const level = text || "warn";
  if (!isLogLevel(level)) throw new ConfigError("LOG_LEVEL must be debug, info, warn, error or silent.");
  return level;
}
