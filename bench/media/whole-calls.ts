import { loadavg } from "node:os";
import pg from "pg";
import { freePort } from "#kit/free-port.ts";
import { measureTree, parentOf } from "../process-tree.ts";
import { type BenchServer, startServer } from "../server-process.ts";
import { type ApiClient, createApiClient } from "./api-client.ts";
import { type CallerFiles, type Callers, type Heard, type RunTimes, startCallers } from "./callers.ts";
import { checkCalls, type CheckedCalls } from "./checked-calls.ts";
import { pinTo, SERVER_CORE } from "./pinned.ts";
import { BenchTrunk } from "./trunk.ts";
import { BenchVendors } from "./vendors.ts";

/** Length of a call, after which its caller hangs up and takes another one. */
export const CALL_S = 60;
/** Calls a second that the number may dial. */
const DIALS_A_SECOND = 50;
const HOST = "127.0.0.1";
const NUMBER = "+14155559000";
const LONGEST_START_MS = 60_000;
/** Share of the wanted calls that lives at a time, because each that ends is followed a moment later. */
export const ENOUGH = 0.97;
const ALWAYS = {
  windows: [{ days: ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"], start: "00:00", end: "24:00" }],
};
const FLOW = {
  name: "Appointments",
  masterPrompt:
    "You call people for Dr. Ada's practice and offer them an appointment. Be brief and friendly. Ask for a day, then for a time, then read both back. The practice is open from Monday to Friday, from eight to five.",
  firstMessage: "Hello, this is the practice of Dr. Ada.",
  language: "en-US",
  maxDurationSeconds: 600,
  silenceTimeoutSeconds: 60,
  limits: { maxTurns: 500 },
};

/** Result of a run of whole calls. */
export interface WholeCallsRun {
  /** Calls that were wanted at once; `heard.callSeconds` has what there were. */
  calls: number;
  heard: Heard;
  /** CPU of the server's processes and of PostgreSQL. */
  nodeMsPerCallSecond: number;
  postgresMsPerCallSecond: number;
  /** CPU of both, as a share of one core. */
  cpuShare: number;
  /** Memory of the server's processes. */
  megabytes: number;
  checked: CheckedCalls;
  loadAverage: number;
}

/** Settings of a run beside its times. */
interface WholeCallsOptions {
  files: CallerFiles;
  calls: number;
  times: RunTimes;
  /** Further environment of the server. */
  env?: Record<string, string>;
}

/**
 * Runs a whole server with its database against a trunk: a call job keeps `calls` calls of a minute alive, and each that
 * ends is followed by the next row.
 */
export async function runWholeCalls({ files, calls, times, env = {} }: WholeCallsOptions): Promise<WholeCallsRun> {
  const vendors = await BenchVendors.open();
  const callers = await startCallers(files, calls, times);
  const trunk = await openTrunk(callers);
  let server: BenchServer | undefined;
  try {
    const launcher = pinTo(SERVER_CORE, files.isPinned);
    server = await startServer(await freePort(), [], { ...(await settings(vendors, calls)), ...env }, launcher);
    const api = await openWorkspace(server, trunk, vendors, calls);
    const jobId = await startJob(api, calls, times);
    await untilLive(trunk, calls);
    await callers.begin();
    const used = await measureUse(server, () => callers.hear());
    const checked = await checkCalls(api, jobId);
    return { calls, ...used, checked, loadAverage: loadavg()[0] ?? 0 };
  } finally {
    trunk.close();
    await callers.stop();
    await server?.close();
    vendors.close();
  }
}

function openTrunk(callers: Callers): Promise<BenchTrunk> {
  return BenchTrunk.open({
    ports: callers.ports,
    lengthMs: CALL_S * 1_000,
    onAnswered: (caller, port) => callers.dial(caller, port),
    onEnded: (caller) => callers.hangUp(caller),
  });
}

async function settings(vendors: BenchVendors, calls: number): Promise<Record<string, string>> {
  return {
    ALLOW_PRIVATE_NETWORK: "1",
    SIP_HOST: HOST,
    SIP_PORT: String(await freePort("UDP")),
    DEEPGRAM_URL: vendors.url,
    DEEPGRAM_API_KEY: "bench",
    SPEECH_TO_TEXT: "DEEPGRAM",
    TEXT_TO_SPEECH: "DEEPGRAM",
    LOG_LEVEL: "error",
    MAX_AUDIO_CALLS: String(2 * calls),
    MAX_LIVE_CALLS: String(2 * calls),
  };
}

async function openWorkspace(
  server: BenchServer,
  trunk: BenchTrunk,
  vendors: BenchVendors,
  calls: number,
): Promise<ApiClient> {
  const rateLimit = { capacity: 1e9, refill: 1e9, periodSeconds: 1 };
  const live = await server.operator("workspace.create", { name: "Live", mode: "LIVE", sample: true, rateLimit });
  await server.operator("workspace.update", { id: live.workspaceId, countries: ["US"], callingWindow: ALWAYS });
  const api = createApiClient(server.url, String(live.apiKey));
  const model = { name: "Stand-in", provider: "OPENAI_COMPATIBLE", baseUrl: `${vendors.url}/v1`, model: "bench" };
  await api.ask("POST", "/models", { ...model, isDefault: true });
  await api.ask("POST", "/phone-numbers", {
    provider: "BYO_SIP",
    phoneNumber: NUMBER,
    sipTrunk: { host: HOST, port: trunk.port, srtp: "OFF" },
    maxConcurrentCalls: calls,
    callsPerSecond: DIALS_A_SECOND,
  });
  return api;
}

/** Starts a job with more people than can be called until the end of the run. */
async function startJob(api: ApiClient, calls: number, { warmS, measureS }: RunTimes): Promise<string> {
  const generations = 2 + Math.ceil((calls / DIALS_A_SECOND + warmS + measureS) / CALL_S);
  const rows = Array.from({ length: calls * generations }, (_, i) => ({ customerNumber: `+1415${2_000_000 + i}` }));
  const retryConfig = { maxAttempts: 1 };
  const job = { rows, flow: FLOW, fromPhoneNumbers: [NUMBER], retryConfig };
  return (await api.ask<{ id: string }>("POST", "/call-jobs", job)).id;
}

/** Waits for the calls; a server that is full takes no more of them, which the measurement shows. */
async function untilLive(trunk: BenchTrunk, calls: number): Promise<void> {
  for (const deadline = performance.now() + LONGEST_START_MS; trunk.live < calls * ENOUGH;) {
    if (performance.now() > deadline) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Measures what a server and its database use until the callers have heard enough. */
async function measureUse(server: BenchServer, hear: () => Promise<Heard>) {
  const client = new pg.Client(server.database);
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const postmaster = parentOf(rows[0]?.pid ?? 0);
    const read = () => [measureTree(server.pid, postmaster), measureTree(postmaster)] as const;
    const [nodeBefore, postgresBefore] = read();
    const startedMs = performance.now();
    const heard = await hear();
    const seconds = (performance.now() - startedMs) / 1_000;
    const [node, postgres] = read();
    const nodeS = node.cpuSeconds - nodeBefore.cpuSeconds;
    const postgresS = postgres.cpuSeconds - postgresBefore.cpuSeconds;
    return {
      heard,
      nodeMsPerCallSecond: (nodeS * 1_000) / heard.callSeconds,
      postgresMsPerCallSecond: (postgresS * 1_000) / heard.callSeconds,
      cpuShare: (nodeS + postgresS) / seconds,
      megabytes: node.megabytes,
    };
  } finally {
    await client.end();
  }
}
