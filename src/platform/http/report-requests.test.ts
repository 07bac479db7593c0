import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import type { Database } from "#src/platform/db/database.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { type Gatekeeper, UNKNOWN_ADMISSION } from "./admission.ts";
import { callInProcess } from "./in-process.ts";
import type { AnsweredRequest } from "./report-requests.ts";
import { Reply, type Route, route } from "./route.ts";
import { Type } from "./schemas.ts";
import { createServer } from "./server.ts";

const open = { method: "GET", audience: "public", access: "PUBLIC", tag: "Service", free: true } as const;
const params = Type.Object({ id: Type.String() });
const ROUTES: Route[] = [
  route({ ...open, path: "/things/{id}", summary: "", params, replies: { 200: null }, run: async () => null }),
  route({
    ...open,
    path: "/stream",
    summary: "",
    produces: "text/event-stream",
    replies: { 200: null },
    run: async () => new Reply(200, Readable.from(["data: 1\n\n"]), { "content-type": "text/event-stream" }),
  }),
];

let server: FastifyInstance | undefined;
afterEach(() => server?.close());

async function start(admit: Gatekeeper["admit"]) {
  const answered: AnsweredRequest[] = [];
  server = createServer({
    routes: ROUTES,
    gatekeeper: { admit },
    database: {} as Database,
    box: {} as SecretBox,
    log: createLog("silent"),
    publicUrl: "http://127.0.0.1:1",
    trustProxy: undefined,
    checkReplies: false,
    onAnswered: (request) => answered.push(request),
  });
  const url = await server.listen({ port: 0, host: "127.0.0.1" });
  return {
    server,
    answered,
    ask: async (path: string, method = "GET") => (await fetch(url + path, { method })).status,
  };
}

const admitAll = async () => ({ ...UNKNOWN_ADMISSION, allowed: true });

test("an answered request is reported by its declared path, never by the path that was asked for", async () => {
  const { answered, ask } = await start(admitAll);
  expect(await ask("/things/0190-secret?apiKey=secret")).toBe(200);
  expect(await ask("/things/0190-secret", "DELETE")).toBe(405);
  expect(await ask("/nothing/0190-secret")).toBe(404);
  await expect.poll(() => answered.length).toBe(3);
  expect(answered.map(({ method, route: path, status }) => `${method} ${path} ${status}`)).toEqual([
    "GET /things/{id} 200",
    "DELETE /things/{id} 405",
    "GET unknown 404",
  ]);
});

test("event streams, and requests of the process to itself, are not reported", async () => {
  const { server: own, answered, ask } = await start(admitAll);
  expect(await ask("/stream")).toBe(200);
  expect((await callInProcess(own, { method: "GET", path: "/things/1", headers: {} })).status).toBe(200);
  expect(await ask("/things/1")).toBe(200);
  await expect.poll(() => answered.length).toBeGreaterThan(0);
  expect(answered).toMatchObject([{ route: "/things/{id}" }]);
});

test("a free route is answered while the admission of requests hangs", async () => {
  const { ask } = await start(() => new Promise(() => undefined));
  expect(await ask("/things/1")).toBe(200);
});
