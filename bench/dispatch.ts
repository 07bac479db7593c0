import pg from "pg";
import { cpuSeconds, startServer, type BenchServer } from "./server-process.ts";

const NUMBERS = 8;
const CONCURRENCY = 100;

interface Scenario {
  name: string;
  rows: number;
  /** Contacts the sandbox answers like this. */
  number(i: number): string;
}

/** Distinct numbers that the sandbox simulates by hash; and one line for calls that never connect. */
const SCENARIOS: Scenario[] = [
  {
    name: "whole calls: people by hash (talk, transcript, extraction, row, event)",
    rows: 4_000,
    number: (i) => `+1415${2_000_000 + i}`,
  },
];

/** Calls per second from claim to stored end, in the sandbox at instant speed. */
export async function benchDispatch(print: (line: string) => void): Promise<void> {
  print(
    `Dispatch: one job over ${NUMBERS} phone numbers of ${CONCURRENCY} calls each, sandbox in process, instant speed, scripted model.`,
  );
  print("Measured in the database: from the first attempt's intent to the last stored end.");
  const server = await startServer(18_082);
  try {
    const from = await addNumbers(server);
    for (const scenario of SCENARIOS) await run(server, from, scenario, print);
  } finally {
    await server.close();
  }
}

/** Adds the numbers to call from, and returns them. */
export async function addNumbers(server: BenchServer): Promise<string[]> {
  const numbers: string[] = [];
  for (let i = 0; i < NUMBERS; i++) {
    const phoneNumber = `+442079460${180 + i}`;
    await post(server, "/phone-numbers", { provider: "SANDBOX", phoneNumber, maxConcurrentCalls: CONCURRENCY });
    numbers.push(phoneNumber);
  }
  return numbers;
}

/** Runs a job of single attempts to its end; returns its id. */
export async function runJob(server: BenchServer, fromPhoneNumbers: string[], numbers: string[]): Promise<string> {
  const rows = numbers.map((customerNumber) => ({ customerNumber }));
  const job = await post(server, "/call-jobs", { rows, fromPhoneNumbers, retryConfig: { maxAttempts: 1 } });
  for (;;) {
    const reply = await fetch(`${server.url}/api/external/v1/call-jobs/${String(job.id)}`, {
      headers: { "x-api-key": server.apiKey },
    });
    if (((await reply.json()) as { completedAt: unknown }).completedAt !== null) return String(job.id);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function run(
  server: BenchServer,
  fromPhoneNumbers: string[],
  scenario: Scenario,
  print: (line: string) => void,
): Promise<void> {
  const numbers = Array.from({ length: scenario.rows }, (_, i) => scenario.number(i));
  const cpuBefore = cpuSeconds(server.pid);
  const jobId = await runJob(server, fromPhoneNumbers, numbers);
  const cpu = cpuSeconds(server.pid) - cpuBefore;
  const [figures] = await query<{ attempts: number; seconds: number; talked: number }>(
    server,
    `select count(*)::int as attempts, extract(epoch from max(a.ended_at) - min(a.submitted_at))::float8 as seconds,
            (count(*) filter (where a.answered_at is not null))::int as talked
       from call_attempts a join call_rows r on r.workspace_id = a.workspace_id and r.id = a.row_id where r.job_id = $1`,
    [jobId],
  );
  const { attempts, seconds, talked } = figures as { attempts: number; seconds: number; talked: number };
  print(`  ${scenario.name}`);
  print(
    `  ${attempts} calls (${talked} answered) in ${seconds.toFixed(1)} s: ${(attempts / seconds).toFixed(0)} calls/s (goal 300), ${((cpu / attempts) * 1000).toFixed(2)} ms of Node CPU a call`,
  );
}

async function post(server: BenchServer, path: string, body: object): Promise<Record<string, unknown>> {
  const reply = await fetch(`${server.url}/api/external/v1${path}`, {
    method: "POST",
    headers: { "x-api-key": server.apiKey, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(await reply.text());
  return (await reply.json()) as Record<string, unknown>;
}

async function query<Row extends pg.QueryResultRow>(
  server: BenchServer,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const client = new pg.Client(server.database);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
