import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { freePort } from "#kit/free-port.ts";
import { socketUrl } from "#kit/socket-url.ts";
import { measureTree } from "./process-tree.ts";

const FOLDER = join(import.meta.dirname, "peers", "queues");
const REDIS = "/usr/bin/redis-server";
/** Jobs that wait in Redis, which holds them in memory. */
const MOST_IN_REDIS = 200_000;

/** Work of a queue: the same as the claim's of the benchmark. */
interface QueueWork {
  jobs: number;
  queues: number;
  batch: number;
  seconds: number;
}

/** Measures pg-boss on the benchmark's PostgreSQL and BullMQ on a Redis of its own, where they are installed. */
export async function measureQueues(
  database: pg.ClientConfig,
  postmaster: number,
  work: QueueWork,
  print: (line: string) => void,
): Promise<void> {
  if (!existsSync(join(FOLDER, "node_modules"))) {
    print("  pg-boss and BullMQ: not run, see bench/peers/queues/README.md");
    return;
  }
  const { jobs, queues, batch, seconds } = work;
  const client = new pg.Client(database);
  await client.connect();
  await client.query("create database pgboss");
  await client.end();
  const url = socketUrl({ ...database, database: "pgboss" });
  await measureOne("pg-boss, same PostgreSQL", "pg-boss.js", [url, jobs, queues, batch, seconds], postmaster, print);
  if (!existsSync(REDIS)) {
    print("  BullMQ: not run, Debian's package redis-server is missing");
    return;
  }
  await withRedis((port, pid) => {
    const waiting = Math.min(jobs, MOST_IN_REDIS);
    return measureOne("BullMQ, Redis synced each second", "bullmq.js", [port, waiting, batch, seconds], pid, print);
  });
}

async function withRedis(run: (port: number, pid: number) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "parley-redis-"));
  const port = await freePort();
  const flags = ["--port", String(port), "--dir", dir, "--appendonly", "yes", "--save", ""];
  const redis = spawn(REDIS, flags, { stdio: "ignore" });
  try {
    for (let i = 0; i < 100 && !(await isOpen(port)); i++) await pause(50);
    await run(port, redis.pid ?? 0);
  } finally {
    const gone = once(redis, "exit");
    redis.kill("SIGKILL");
    await gone;
    rmSync(dir, { recursive: true, force: true });
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.unref();
  });
}

async function measureOne(
  name: string,
  file: string,
  args: (string | number)[],
  storePid: number,
  print: (line: string) => void,
): Promise<void> {
  const child = fork(join(FOLDER, file), args.map(String), { execArgv: [] });
  const gone = once(child, "exit");
  await answerOf(child);
  const before = { queue: measureTree(child.pid ?? 0), store: measureTree(storePid) };
  child.send("go");
  const { done, seconds } = (await answerOf(child)) as { done: number; seconds: number };
  const after = { queue: measureTree(child.pid ?? 0), store: measureTree(storePid) };
  const perJob = (of: "queue" | "store") =>
    `${(((after[of].cpuSeconds - before[of].cpuSeconds) / done) * 1e6).toFixed(0)} us`;
  print(
    `  ${name}: ${(done / seconds).toFixed(0)} jobs/s handed out and ended; CPU a job: ${perJob("queue")} Node, ${perJob("store")} store`,
  );
  await gone;
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The queue's process ended with ${code}.`);
  });
  ended.catch(() => undefined);
  const [answer] = (await Promise.race([once(child, "message"), ended])) as [unknown];
  return answer;
}
