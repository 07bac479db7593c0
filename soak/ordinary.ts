import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { Installation, type Load, type Workspace } from "./installation.ts";
import { describeSpan, Latencies } from "./latencies.ts";
import { addJob, askOne, ROWS } from "./ordinary-load.ts";
import { untilDrained } from "./until-drained.ts";

const WORKSPACES = 10;
const NUMBERS = 10;
const PER_SECOND = 20;
const JOBS_PER_MINUTE = 5;
/** Requests that may be on their way; one that finds no room is a fault, and is not sent. */
const MOST_OPEN = 200;
const LONGEST_MS = 1_000;
const SETTLE_SECONDS = 60;
const IDLE_SECONDS = 60;

/**
 * An hour of ordinary use: requests at a steady rate whatever the answers take, jobs, dashboards that stay open. Nothing may
 * take more than a second or answer 5xx, and afterwards the server must be as idle as it was before.
 */
export async function soakOrdinary(options: Map<string, number>, print: (line: string) => void): Promise<string[]> {
  const minutes = options.get("minutes") ?? 60;
  const jobs = minutes * JOBS_PER_MINUTE;
  print(
    `Ordinary use: ${WORKSPACES} workspaces of ${NUMBERS} numbers, ${PER_SECOND} requests/s for ${minutes} min (3 of 5 read), ${jobs} jobs of ${ROWS} rows, a dashboard's live stream for each workspace; sandbox at speed 10, embedded database.`,
  );
  print(
    "Latencies from sending a request to the last byte of its answer. CPU and memory (PSS) are summed over the trees of processes of the server and of PostgreSQL, from /proc.",
  );
  await using installation = await Installation.start(18_090);
  const workspaces: Workspace[] = [];
  for (let i = 0; i < WORKSPACES; i++) workspaces.push(await installation.addWorkspace(`Ordinary ${i}`, NUMBERS));
  for (const workspace of workspaces) await installation.openDashboard(workspace);
  await pause(SETTLE_SECONDS * 1_000);
  const before = await installation.measureIdle(IDLE_SECONDS);
  print(`Idle before: ${describeIdle(before)}`);
  const faults = await use(installation, workspaces, minutes, print);
  await drain(installation, faults, print);
  await pause(SETTLE_SECONDS * 1_000);
  const after = await installation.measureIdle(IDLE_SECONDS);
  print(`Idle after: ${describeIdle(after)}`);
  if (after.total > Math.max(before.total * 1.5, before.total + 0.05))
    faults.push(`Idle, the server uses ${percent(after.total)} of a core; it was ${percent(before.total)}.`);
  return faults;
}

async function use(
  installation: Installation,
  workspaces: Workspace[],
  minutes: number,
  print: (line: string) => void,
): Promise<string[]> {
  const faults: string[] = [];
  const latencies = new Latencies();
  const open = new Set<Promise<unknown>>();
  const startedAt = performance.now();
  const ticks = minutes * 60 * PER_SECOND;
  const jobEvery = (60 * PER_SECOND) / JOBS_PER_MINUTE;
  let unsent = 0;
  let earlier = installation.measure();
  for (let tick = 0; tick < ticks; tick++) {
    await pause(Math.max(0, startedAt + (tick * 1_000) / PER_SECOND - performance.now()));
    const workspace = workspaces[tick % workspaces.length] as Workspace;
    if (open.size >= MOST_OPEN) unsent++;
    else {
      const isJob = tick % jobEvery === 0;
      const sent = isJob
        ? addJob(installation, workspace, tick, latencies)
        : askOne(installation, workspace, tick, latencies, WORKSPACES);
      const tracked: Promise<unknown> = sent.finally(() => open.delete(tracked));
      open.add(tracked);
    }
    if ((tick + 1) % (60 * PER_SECOND) !== 0) continue;
    const minute = (tick + 1) / (60 * PER_SECOND);
    const span = latencies.take();
    const load = installation.measure();
    print(`min ${String(minute).padStart(3)}  ${describeSpan(span)}  ${describeLoad(earlier, load, 60)}`);
    earlier = load;
    if (span.max > LONGEST_MS)
      faults.push(`In minute ${minute} an answer took ${span.max.toFixed(0)} ms: ${span.slowest}.`);
    if (span.broken > 0) faults.push(`In minute ${minute}, ${span.broken} requests were answered 5xx or not at all.`);
  }
  await Promise.all(open);
  const rest = latencies.take();
  if (rest.broken > 0 || rest.max > LONGEST_MS) faults.push(`Of the last requests: ${describeSpan(rest)}`);
  if (unsent > 0) faults.push(`${unsent} requests were not sent, for ${MOST_OPEN} were open.`);
  return faults;
}

/** Waits until no call waits or lives, and says what is left. */
async function drain(installation: Installation, faults: string[], print: (line: string) => void): Promise<void> {
  const client = new pg.Client(installation.server.database);
  await client.connect();
  try {
    await untilDrained(client, faults);
    const { rows } = await client.query<{ lanes: number; calls: number; requests: number }>(
      `select (select count(*) from lanes)::int as lanes, (select count(*) from call_rows)::int as calls,
              (select count(*) from request_log)::int as requests`,
    );
    const [left] = rows;
    print(`Drained: ${left?.calls} calls, ${left?.requests} logged requests and ${left?.lanes} lanes are left.`);
  } finally {
    await client.end();
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function describeIdle({ node, postgres, load }: { node: number; postgres: number; load: Load }): string {
  return `node ${percent(node)}, postgres ${percent(postgres)} of a core over ${IDLE_SECONDS} s; node ${load.node.megabytes.toFixed(0)} MB, postgres ${load.postgres.megabytes.toFixed(0)} MB`;
}

function describeLoad(from: Load, to: Load, seconds: number): string {
  const cpu = (name: "node" | "postgres") => percent((to[name].cpuSeconds - from[name].cpuSeconds) / seconds);
  return `node ${cpu("node")} ${to.node.megabytes.toFixed(0)} MB  postgres ${cpu("postgres")} ${to.postgres.megabytes.toFixed(0)} MB`;
}
