import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { readConfig } from "#src/platform/config/config.ts";
import { listExpiries } from "#src/platform/db/retention.ts";
import { KEPT_DAYS as REQUEST_DAYS } from "#src/tenancy/audit/request-sql.ts";
import { Installation, type Load, type Workspace } from "./installation.ts";
import { Latencies } from "./latencies.ts";
import { startClockedPostgres } from "./month/clocked-postgres.ts";
import { DailyLoad } from "./month/daily-load.ts";
import {
  countFiles,
  type DaySample,
  readClock,
  readConnections,
  readMachineSeconds,
  readTables,
  takeStatements,
} from "./month/day-sample.ts";
import { fillInstallation } from "./month/fill.ts";
import { judgeGrowth, LEAST_DAYS, shortened, sumUses } from "./month/judge-growth.ts";
import { canShiftClocks, shiftableClock, shiftClock } from "./shifted-clock.ts";
import { untilDrained } from "./until-drained.ts";

const PORT = 18_095;
const BUSY = 10;
const NUMBERS = 10;
const DAY_SECONDS = 86_400;
/** Longer than the minute after which each piece of housekeeping runs again. */
const LEAST_SECONDS = 65;
/** Part of a day with load; the rest is quiet. */
const LOAD_SHARE = 0.6;
const MOST_SHOWN = 12;

/**
 * Thirty days in half an hour: a server whose database is filled with a month of calls is used, and its clock and that
 * of its database go ahead by a day after each minute. Memory, connections, files, statements by pages and time, and
 * rows of every table are measured each day; what grows without levelling off is a fault.
 */
export async function soakMonth(options: Map<string, number>, print: (line: string) => void): Promise<string[]> {
  const days = options.get("days") ?? 30;
  if (days < LEAST_DAYS) return [`--days ${days} is too few to compare days; the fewest are ${LEAST_DAYS}.`];
  const seconds = Math.max(LEAST_SECONDS, options.get("seconds") ?? LEAST_SECONDS);
  const calls = options.get("calls") ?? 1_000_000;
  const workspaces = options.get("workspaces") ?? 300;
  if (!canShiftClocks()) {
    print("SKIPPED: Debian's package faketime is missing, without which the clock cannot go ahead.");
    return [];
  }
  print(
    `Month: ${days} days of ${seconds} s, after each of which the clocks go ahead to the next; ${workspaces} workspaces, ${calls} finished calls and as many logged requests, 1000 finished jobs over 100 numbers. Each day: requests, jobs, calls in text and audio, chats, webhooks of which some reach nobody, dashboards, transcriptions, a simulation, erasures, a new key that is revoked.`,
  );
  const dataDir = mkdtempSync(join(tmpdir(), "parley-month-"));
  // Started as root, PostgreSQL runs as nobody, who must be able to enter the folder.
  chmodSync(dataDir, 0o711);
  const clockPath = join(dataDir, "clock");
  const clock = shiftableClock(clockPath);
  try {
    await startClockedPostgres(dataDir, clock);
    await using installation = await Installation.start(PORT, {
      ...clock,
      DATA_DIR: dataDir,
      ALLOW_PRIVATE_NETWORK: "1",
    });
    const client = new pg.Client(installation.server.database);
    await client.connect();
    try {
      const month = new Month({ installation, client, clockPath, dataDir, seconds }, print);
      return await month.run({ days, calls, workspaces });
    } finally {
      await client.end();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Parts {
  installation: Installation;
  client: pg.Client;
  clockPath: string;
  dataDir: string;
  /** Length of a day. */
  seconds: number;
}

class Month {
  readonly #parts: Parts;
  readonly #print: (line: string) => void;
  readonly #faults: string[] = [];
  readonly #samples: DaySample[] = [];
  /** When each day began, by the database's clock. */
  readonly #beginnings: string[] = [];

  constructor(parts: Parts, print: (line: string) => void) {
    this.#parts = parts;
    this.#print = print;
  }

  async run({ days, calls, workspaces }: { days: number; calls: number; workspaces: number }): Promise<string[]> {
    const { installation, client } = this.#parts;
    await client.query("create extension if not exists pg_stat_statements");
    const busy: Workspace[] = [];
    for (let i = 0; i < BUSY; i++) busy.push(await installation.addWorkspace(`Busy ${i}`, NUMBERS));
    const audio = await installation.addWorkspace("Audio", 1, 1);
    for (let i = BUSY + 1; i < workspaces; i++) await installation.addWorkspace(`Quiet ${i}`, 0);
    const startedAt = performance.now();
    await fillInstallation(client, (busy[0] as Workspace).workspaceId, { calls, requests: calls });
    this.#print(`Filled in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s.`);
    await using load = await DailyLoad.open(installation, { busy, audio });
    await takeStatements(client);
    for (let day = 1; day <= days; day++) await this.#passDay(day, busy, load);
    this.#describeStatements();
    return [...this.#faults, ...judgeGrowth(this.#samples, readKeptDays())];
  }

  async #passDay(day: number, busy: Workspace[], load: DailyLoad): Promise<void> {
    const { installation, client, clockPath, dataDir, seconds } = this.#parts;
    const startedAt = performance.now();
    const machineBefore = readMachineSeconds();
    const before = installation.measure();
    this.#beginnings.push(await readClock(client));
    const latencies = new Latencies();
    await installation.signInAgain();
    for (const workspace of busy) await installation.openDashboard(workspace);
    await load.run(seconds * LOAD_SHARE, latencies);
    await untilDrained(client, this.#faults);
    installation.closeDashboards();
    await pause(Math.max(0, startedAt + seconds * 1_000 - performance.now()));
    const span = latencies.take();
    const used = usedBetween(before, installation.measure());
    const otherSeconds = readMachineSeconds() - machineBefore - used.nodeSeconds - used.postgresSeconds;
    const sample: DaySample = {
      day,
      ...used,
      otherSeconds,
      p50: span.p50,
      p99: span.p99,
      ...(await readConnections(client, this.#beginnings.at(-2) ?? "-infinity")),
      files: countFiles(dataDir),
      statements: await takeStatements(client),
      tables: await readTables(client),
    };
    this.#samples.push(sample);
    this.#print(describeDay(sample));
    if (span.broken > 0)
      this.#faults.push(
        `On day ${day}, ${span.broken} requests were answered 5xx or not at all; others used ${otherSeconds.toFixed(0)} s of the processors meanwhile.`,
      );
    shiftClock(clockPath, day * (DAY_SECONDS - seconds));
    // The clock follows its file within a second, and a node whose lease ended meanwhile takes another name.
    await pause(2_000);
  }

  /** Prints the statements that took most of the time. */
  #describeStatements(): void {
    const uses = [...sumUses(this.#samples).values()].toSorted((a, b) => b.ms - a.ms);
    this.#print("Statements by time of PostgreSQL: seconds, executions, ms and pages each, longest ms.");
    for (const { text, calls, ms, maxMs, blocks } of uses.slice(0, MOST_SHOWN))
      this.#print(
        `  ${(ms / 1_000).toFixed(1).padStart(7)} ${String(calls).padStart(8)} ${(ms / calls).toFixed(2).padStart(8)} ${(blocks / calls).toFixed(0).padStart(6)} ${maxMs.toFixed(0).padStart(6)}  ${shortened(text)}`,
      );
  }
}

function usedBetween(before: Load, after: Load) {
  return {
    nodeMb: after.node.megabytes,
    postgresMb: after.postgres.megabytes,
    nodeSeconds: after.node.cpuSeconds - before.node.cpuSeconds,
    postgresSeconds: after.postgres.cpuSeconds - before.postgres.cpuSeconds,
  };
}

function describeDay(sample: DaySample): string {
  const { day, p50, p99, nodeMb, postgresMb, nodeSeconds, postgresSeconds, otherSeconds, connections, files, tables } =
    sample;
  const rows = [...tables.values()].reduce((sum, table) => sum + table.rows, 0);
  const bytes = [...tables.values()].reduce((sum, table) => sum + table.bytes, 0);
  return `day ${String(day).padStart(3)}  p50 ${p50.toFixed(0)}  p99 ${p99.toFixed(0)} ms  node ${nodeMb.toFixed(0)} MB ${nodeSeconds.toFixed(1)} s  postgres ${postgresMb.toFixed(0)} MB ${postgresSeconds.toFixed(1)} s  others ${otherSeconds.toFixed(1)} s  ${connections} connections  ${files} files  ${rows} rows  ${(bytes / 1e6).toFixed(0)} MB`;
}

/** Returns the days after which rows of a table are deleted, by the settings that apply when none is set. */
function readKeptDays(): Map<string, number> {
  const kept = new Map<string, number>();
  for (const { table, keptFor } of listExpiries(readConfig({}).retention)) {
    const days = daysOf(keptFor);
    kept.set(table, Math.max(days, kept.get(table) ?? 0));
  }
  kept.set("request_log", REQUEST_DAYS);
  // They go with their artifacts.
  kept.set("artifact_chunks", kept.get("artifacts") ?? 0);
  return kept;
}

function daysOf(interval: string): number {
  const [count = "0", unit = "days"] = interval.split(" ");
  return unit.startsWith("day") ? Number(count) : Number(count) / (unit.startsWith("hour") ? 24 : 1_440);
}
