import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveSandboxExchange } from "#src/telephony/carriers/sandbox/sandbox-server.ts";
import { createDatabase } from "../kit/database.ts";
import { highestConcurrency, readLedger } from "../kit/ledger-check.ts";
import { ServerProcess } from "../kit/server-process.ts";

const NODES = 10;
const LIMIT = 2;

test(
  "ten processes claiming on one number with concurrency 2 never exceed 2 by the carrier's ledger",
  { timeout: 180_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "parley-nodes-"));
    const ledgerPath = join(folder, "ledger.jsonl");
    const database = await createDatabase();
    const exchange = await serveSandboxExchange({ port: 0, ledgerPath });
    const env = { DATABASE_URL: database.url, SANDBOX_CARRIER_URL: exchange.url };
    const nodes = await Promise.all(Array.from({ length: NODES }, () => ServerProcess.create(env)));
    try {
      const [first, ...others] = nodes as [ServerProcess, ...ServerProcess[]];
      await first.start();
      await Promise.all(others.map((node) => node.start()));
      const sample = (await first.operator("workspace.create", { name: "Nodes", sample: true, sandboxSpeed: 400 })) as {
        apiKey: string;
        phoneNumber: { id: string; number: string };
      };
      const send = (method: string, path: string, body: object) =>
        fetch(`${first.url}/api/external/v1${path}`, {
          method,
          headers: { "x-api-key": sample.apiKey, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      await send("PUT", `/phone-numbers/${sample.phoneNumber.id}`, { maxConcurrentCalls: LIMIT });
      const rows = Array.from({ length: 60 }, (_, i) => ({ customerNumber: `+1415${4_000_000 + i}` }));
      await send("POST", "/call-jobs", { rows, retryConfig: { maxAttempts: 1 } });
      for (let over: unknown[] = []; over.length === 0;) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        over = await database.query("select 1 from call_jobs where completed_at is not null");
      }
      expect(highestConcurrency(readLedger(ledgerPath), sample.phoneNumber.number)).toBe(LIMIT);
      const shares = await database.query(
        "select count(distinct attempt_id) as rung from carrier_events where type = 'RINGING'",
      );
      expect(shares).toHaveLength(1);
    } finally {
      await Promise.all(nodes.map((node) => node.stop()));
      await exchange.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
