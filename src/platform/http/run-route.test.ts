import fastify from "fastify";
import { expect, test } from "vitest";
import type { Database } from "#src/platform/db/database.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { type Caller, route } from "./route.ts";
import { createRunner } from "./run-route.ts";
import { Type } from "./schemas.ts";

/** A database whose transactions only note when they commit. */
function databaseNoting(steps: string[]): Database {
  const execute = async (work: (tx: unknown) => Promise<unknown>): Promise<unknown> => {
    const result = await work({});
    // A commit takes a while, in which timers run.
    await new Promise((resolve) => setTimeout(resolve, 20));
    steps.push("committed");
    return result;
  };
  return { db: { transaction: () => ({ execute }) } } as unknown as Database;
}

/** Sends one request to an idempotent route whose handler does this; returns its status and what happened in order. */
async function post(handle: () => unknown): Promise<{ status: number; steps: string[] }> {
  const steps: string[] = [];
  const declared = route({
    audience: "external",
    method: "POST",
    path: "/things",
    access: "ANY",
    tag: "Things",
    summary: "Make a thing",
    idempotent: true,
    replies: { 200: Type.Object({}) },
    run: async () => (steps.push("run"), handle()),
    afterCommit: () => void steps.push("woken"),
  });
  const run = createRunner(declared, { database: databaseNoting(steps), box: {} as SecretBox, checkReplies: true });
  const app = fastify();
  const caller = { workspaceId: "w", credentialId: "k", kind: "API_KEY", permissions: new Set() } as Caller;
  app.post("/things", (request, reply) => run(request, reply, caller));
  const { statusCode } = await app.inject({ method: "POST", url: "/things" });
  await app.close();
  return { status: statusCode, steps };
}

test("what follows a request's changes begins after their commit", async () => {
  expect(await post(() => ({}))).toEqual({ status: 200, steps: ["run", "committed", "woken"] });
});

test("nothing follows a request that failed", async () => {
  const { status, steps } = await post(() => {
    throw new Error("refused");
  });
  expect([status, steps]).toEqual([500, ["run"]]);
});
