import type pg from "pg";
import { describe, expect, it } from "vitest";
import { createLog } from "#src/platform/kernel/log.ts";
import { RequestLog } from "./request-log.ts";

interface Row {
  path: string;
  skipped: number;
}

/** Runs with a log on a fake database, and returns the rows written before and at the stop. */
async function logged(run: (log: RequestLog) => void, isAway = false): Promise<Row[]> {
  const rows: Row[] = [];
  const query = async ({ values: [text] }: { values: [string] }) => {
    if (isAway) throw new Error("connection refused");
    rows.push(...(JSON.parse(text) as Row[]));
  };
  const log = new RequestLog({ query } as unknown as pg.Pool, createLog("silent"));
  run(log);
  await log.stop();
  return rows;
}

const served = (path: string, workspaceId = "w", kind: "API_KEY" | "USER" = "API_KEY") => ({
  method: "GET",
  path,
  status: 200,
  durationMs: 1.234,
  caller: { workspaceId, credentialId: "c", kind, permissions: new Set<string>() },
  address: "127.0.0.1",
  requestId: "r",
});

describe("the request log", () => {
  it("keeps the path without its query, which may hold a key", async () => {
    const rows = await logged((log) => log.note(served("/api/mcp?apiKey=svc_live_x")));
    expect(rows.map(({ path }) => path)).toEqual(["/api/mcp"]);
  });

  it("names the tool that MCP called", async () => {
    const rows = await logged((log) => log.note({ ...served("/api/mcp?apiKey=svc_live_x"), servedAs: "list_flows" }));
    expect(rows.map(({ path }) => path)).toEqual(["/api/mcp#list_flows"]);
  });

  it("writes little of a flood and counts the rest, for each workspace by itself", async () => {
    const rows = await logged((log) => {
      for (let i = 0; i < 5_000; i++) log.note(served("/a"));
      log.note(served("/b", "other"));
    });
    const flood = rows.filter(({ path }) => path === "/a");
    expect(flood.length).toBeLessThanOrEqual(100);
    expect(flood.reduce((sum, { skipped }) => sum + 1 + skipped, 0)).toBe(5_000);
    expect(rows.filter(({ path }) => path === "/b")).toMatchObject([{ skipped: 0 }]);
  });

  it("leaves out people, and survives a database that is away", async () => {
    expect(await logged((log) => log.note(served("/a", "w", "USER")))).toEqual([]);
    expect(await logged((log) => log.note(served("/a")), true)).toEqual([]);
  });
});
