import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { machineSeconds } from "../bench/process-tree.ts";
import { Installation, type Load, type Workspace } from "./installation.ts";
import { describeSpan } from "./latencies.ts";
import { LeaseWatch } from "./neighbours/lease-watch.ts";
import { differences, LiveCalls } from "./neighbours/live-calls.ts";
import { LoadProcess } from "./neighbours/load-process.ts";
import type { NoiseAnswer, NoiseOrder } from "./neighbours/noise-load.ts";
import type { QuietAnswer, QuietOrder } from "./neighbours/quiet-load.ts";
import { StatementSamples } from "./statement-samples.ts";

const QUIET = 50;
const DASHBOARDS = 10;
const CALLING = 10;
const PER_SECOND = 50;
const NOISY = 4;
const CONNECTIONS = 200;
const UPLOADS = 16;
const ROWS = 60_000;
const RECEIVERS = 1_000;
/** The most that a workspace may have; its other receivers are completion webhooks of jobs. */
const SESSION_WEBHOOKS = 100;
const CLOSED_PORT = 18_092;
const WINDOW_SECONDS = 15;
const SETTLE_SECONDS = 20;
/** In cores; a window proves nothing if other processes than server, database and load used more of the machine. */
const MOST_OTHERS = 0.5;
/** Factor by which the noise may slow the quiet workspaces' slowest answers. */
const MOST_SLOWDOWN = 2;

type Noise = LoadProcess<NoiseOrder, NoiseAnswer>;
type Quiet = LoadProcess<QuietOrder, QuietAnswer>;

/**
 * Runs quiet workspaces beside noisy ones on one server. Measures the quiet ones' answers, dashboards and live calls
 * alone, and then while others upload, have dead receivers and send requests at full rate. Takes the `minutes` of each
 * of the two phases. Returns the faults: a p99 of the quiet ones that more than doubles, an answer of 5xx to one of
 * them, a live call that ends otherwise, a dashboard that lost its stream, an expired lease.
 */
export async function soakNeighbours(options: Map<string, number>, print: (line: string) => void): Promise<string[]> {
  const minutes = options.get("minutes") ?? 5;
  const isSampled = (options.get("statements") ?? 0) > 0;
  process.env.ALLOW_PRIVATE_NETWORK = "1";
  process.env.LOG_LEVEL ??= "error";
  print(
    `${QUIET} quiet workspaces: ${PER_SECOND} requests/s in all (4 of 5 read), whatever the answers take; ${DASHBOARDS} have a dashboard's live stream, ${CALLING} live calls at speed 10. Windows of ${WINDOW_SECONDS} s; the medians of the windows are compared. Latencies from sending a request to the last byte of its answer; quiet and noisy load come from a process each, the quiet one at real-time priority where that is allowed and the noisy one at a low one, as from another machine. Windows in which others took more than half a core are not compared.`,
  );
  await using installation = await Installation.start(18_091);
  const client = new pg.Client(installation.server.database);
  await client.connect();
  using quietLoad: Quiet = new LoadProcess(new URL("./neighbours/quiet-load.ts", import.meta.url));
  using noise: Noise = new LoadProcess(new URL("./neighbours/noise-load.ts", import.meta.url));
  const lease = new LeaseWatch(client);
  try {
    return await measure({ installation, client, quietLoad, noise, lease, minutes, isSampled, print });
  } finally {
    await lease.stop();
    await client.end();
  }
}

interface Parts {
  installation: Installation;
  client: pg.Client;
  quietLoad: Quiet;
  noise: Noise;
  lease: LeaseWatch;
  minutes: number;
  isSampled: boolean;
  print: (line: string) => void;
}

async function measure(parts: Parts): Promise<string[]> {
  const { installation, quietLoad, noise, lease, print } = parts;
  const quiet: Workspace[] = [];
  for (let i = 0; i < QUIET; i++) quiet.push(await installation.addWorkspace(`Quiet ${i}`, 0));
  for (const workspace of quiet.slice(0, DASHBOARDS)) await installation.openDashboard(workspace);
  const { url } = installation.server;
  await quietLoad.ask({ url, apiKeys: quiet.map(({ apiKey }) => apiKey), perSecond: PER_SECOND });
  await pause(SETTLE_SECONDS * 1_000);
  await quietLoad.ask({ take: true });

  const before = await runSampled("Alone", parts, quiet);
  await makeNoise(parts);
  const after = await runSampled("Beside", parts, quiet);
  const { answers, uploads } = await noise.ask({ kind: "COUNT" });
  print(`The noisy ones were answered ${tally(answers)}; their uploads ${tally(uploads)}.`);
  print(`Meanwhile ${lease.describe()}; ${installation.lostDashboards} dashboards lost their stream.`);
  const faults = [...before.faults, ...after.faults, ...lease.faults()];
  if (before.windows === 0 || after.windows === 0)
    faults.push("Others kept the machine busy throughout, so nothing can be said about the answers: run it again.");
  else print(describeSlowdown(before, after));
  if (before.windows > 0 && after.p99 > before.p99 * MOST_SLOWDOWN)
    faults.push(`The quiet ones' p99 is ${ms(after.p99)}; alone it was ${ms(before.p99)}.`);
  faults.push(...differences(before.live.ends, after.live.ends));
  if (after.live.refused > 0) faults.push(`${after.live.refused} live calls were refused.`);
  if (installation.lostDashboards > 0) faults.push(`${installation.lostDashboards} dashboards lost their stream.`);
  return faults;
}

/**
 * Measures a phase, and says with `--statements 1` what PostgreSQL was busy with. Both phases are sampled alike, because
 * forty looks a second make the answers slower.
 */
async function runSampled(name: string, parts: Parts, quiet: Workspace[]) {
  if (!parts.isSampled) return runPhase(name, parts, quiet);
  await using samples = await StatementSamples.begin(parts.installation.server.database);
  const measured = await runPhase(name, parts, quiet);
  for (const line of samples.describe()) parts.print(line);
  return measured;
}

interface Middle {
  p50: number;
  p99: number;
  lateP99: number;
}

function describeSlowdown(before: Middle, after: Middle): string {
  const compare = (of: keyof Middle) =>
    `${of.replace("lateP", "p")} ${ms(before[of])} alone, ${ms(after[of])} beside (x ${(after[of] / before[of]).toFixed(1)})`;
  return `Quiet ${compare("p50")}; ${compare("p99")}. Timers of the process that asks for them were late by ${compare("lateP99")}: so long it waited for a processor itself.`;
}

/** Measures window by window while live calls are placed, and then waits for them to end. */
async function runPhase(
  name: string,
  { installation, client, quietLoad, noise, minutes, print }: Parts,
  quiet: Workspace[],
) {
  const live = new LiveCalls(installation, quiet.slice(-CALLING));
  const placing = live.place(minutes * 60 - WINDOW_SECONDS);
  const spans: QuietAnswer[] = [];
  const undisturbed: QuietAnswer[] = [];
  const processes = (): Processes => ({
    load: installation.measure(),
    quiet: quietLoad.cpuSeconds(),
    noise: noise.cpuSeconds(),
    machine: machineSeconds(),
  });
  let earlier = processes();
  await quietLoad.ask({ take: true });
  for (let i = 0; i < Math.max(1, Math.round((minutes * 60) / WINDOW_SECONDS)); i++) {
    await pause(WINDOW_SECONDS * 1_000);
    const span = await quietLoad.ask({ take: true });
    const now = processes();
    const isDisturbed = (others(now) - others(earlier)) / WINDOW_SECONDS > MOST_OTHERS;
    if (!isDisturbed) undisturbed.push(span);
    spans.push(span);
    print(
      `${name.padEnd(6)} ${describeSpan(span)}  timers late by p99 ${span.lateP99.toFixed(0)} ms  ${describeLoad(earlier, now)}${isDisturbed ? "  (disturbed, not compared)" : ""}`,
    );
    earlier = now;
  }
  await placing;
  const ends = await live.ends(client);
  print(`${name}: ${ends.calls} live calls, half of them over within ${ends.medianSeconds.toFixed(1)} s.`);
  const broken = spans.reduce((sum, span) => sum + span.broken, 0);
  const unsent = spans.at(-1)?.unsent ?? 0;
  const faults = [
    ...(broken > 0 ? [`${name}, ${broken} quiet requests were answered 5xx or not at all.`] : []),
    ...(unsent > 0 ? [`${name}, ${unsent} quiet requests found no room to be sent.`] : []),
  ];
  const middle = (of: keyof Middle) => median(undisturbed.map((span) => span[of]));
  const middles = { p50: middle("p50"), p99: middle("p99"), lateP99: middle("lateP99") };
  return { windows: undisturbed.length, ...middles, live: ends, faults };
}

/** Starts all the noise at once: dead receivers with events for each, uploads, and connections at full rate. */
async function makeNoise({ installation, noise, print }: Parts): Promise<void> {
  const noisy: Workspace[] = [];
  for (let i = 0; i < NOISY; i++) {
    noisy.push(await installation.addWorkspace(`Noisy ${i}`, 0, "instant", i % 2 === 0 ? "UNLIMITED" : "DEFAULT"));
  }
  const { url } = installation.server;
  const { port } = await noise.ask({ kind: "LISTEN" });
  const [first] = noisy as [Workspace];
  for (let i = 0; i < SESSION_WEBHOOKS; i++) {
    await must(installation, first, "/session-webhooks", { url: deadReceiver(i, port), events: ["session.ended"] });
  }
  await noise.ask({ kind: "UPLOAD", url, noisy: noisy.filter((_, i) => i % 2 === 0), uploads: UPLOADS, rows: ROWS });
  await noise.ask({ kind: "FLOOD", url, noisy, connections: CONNECTIONS });
  void addJobs(installation, first, port, print);
  print(
    `Noise: ${UPLOADS} CSVs of ${ROWS} rows; ${RECEIVERS} receivers of one workspace, half of them hanging and half refusing, ${SESSION_WEBHOOKS} of session events and the others of a job each; ${CONNECTIONS} connections that ask again at once, half of them beyond their rate limit.`,
  );
}

/** Adds a job of one row for each receiver of completions; each call is also an event for each session webhook. */
async function addJobs(
  installation: Installation,
  workspace: Workspace,
  port: number,
  print: (line: string) => void,
): Promise<void> {
  let refused = 0;
  for (let i = SESSION_WEBHOOKS; i < RECEIVERS; i++) {
    const added = await installation.ask(workspace, "POST", "/call-jobs", {
      rows: [{ customerNumber: `+1415${3_000_000 + i}` }],
      flowId: workspace.flow.id,
      retryConfig: { maxAttempts: 1 },
      completionWebhook: { url: deadReceiver(i, port), authMode: "NONE" },
    });
    if (added.status === 0) return;
    if (added.status !== 200) refused++;
  }
  print(`Jobs for all receivers were posted; ${refused} were refused.`);
}

/** Returns a dead receiver with an address of its own; nothing listens on the port of those that refuse. */
function deadReceiver(i: number, port: number): string {
  return `http://127.7.${Math.floor(i / 200)}.${1 + (i % 200)}:${i % 2 === 0 ? port : CLOSED_PORT}/hook`;
}

async function must(installation: Installation, workspace: Workspace, path: string, body: object): Promise<void> {
  const reply = await installation.ask(workspace, "POST", path, body);
  if (reply.status !== 200) throw new Error(`POST ${path} was answered ${reply.status}: ${reply.text}`);
}

function describeLoad(from: Processes, to: Processes): string {
  const share = (seconds: number) => `${((seconds / WINDOW_SECONDS) * 100).toFixed(0)} %`;
  const used = (name: "node" | "postgres") => share(to.load[name].cpuSeconds - from.load[name].cpuSeconds);
  return `cores: server ${used("node")}, postgres ${used("postgres")}, quiet load ${share(to.quiet - from.quiet)}, noisy load ${share(to.noise - from.noise)}, others ${share(Math.max(0, others(to) - others(from)))}`;
}

/** Returns the CPU seconds that the machine spent on other processes. */
function others({ load, quiet, noise, machine }: Processes): number {
  return machine - load.node.cpuSeconds - load.postgres.cpuSeconds - quiet - noise;
}

interface Processes {
  load: Load;
  quiet: number;
  noise: number;
  /** Busy seconds of the whole machine: other processes on it are no fault of the server. */
  machine: number;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function tally(counts: Record<string, number>): string {
  return (
    Object.entries(counts)
      .map(([status, n]) => `${n} x ${status}`)
      .join(", ") || "not yet"
  );
}
