import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FakeSystem } from "#kit/fake-system.ts";
import { callOperator } from "./operator-client.ts";

const nothing = () => ({ body: {} });

test("sends the command and its body over the socket and gives the answer", async () => {
  await using system = new FakeSystem();
  await system.start(nothing, () => ({ body: [{ id: "w1", name: "Ümläut" }] }));
  await expect(callOperator(system.env, "workspace.list", { a: "ü" })).resolves.toEqual([{ id: "w1", name: "Ümläut" }]);
  const [seen] = system.operator;
  expect([seen?.method, seen?.url.pathname, seen?.body]).toEqual(["POST", "/workspace.list", '{"a":"ü"}']);
  expect(system.api).toHaveLength(0);
});

test("an error answer keeps status, message, code and details", async () => {
  await using system = new FakeSystem();
  const details = [{ path: "name", code: "LENGTH", message: "too long" }];
  await system.start(nothing, () => ({
    status: 422,
    body: { error: "Validation failed", message: "name: too long", code: "VALIDATION_FAILED", details },
  }));
  await expect(callOperator(system.env, "x", {})).rejects.toMatchObject({
    status: 422,
    message: "name: too long",
    code: "VALIDATION_FAILED",
    details,
  });
});

test("an answer that is not JSON is the server's fault", async () => {
  await using system = new FakeSystem();
  await system.start(nothing, () => ({ body: "<html>" }));
  await expect(callOperator(system.env, "x", {})).rejects.toMatchObject({ exitCode: 7 });
});

test("no server, a dead one's leftovers and a damaged address each say what to do", async () => {
  await using system = new FakeSystem();
  const call = () => callOperator(system.env, "x", {});
  await expect(call()).rejects.toMatchObject({
    exitCode: 7,
    message: `No Parley server has started in ${system.folder}. If yours has another data folder, set DATA_DIR to it here too; otherwise start it with: npm start`,
  });
  const path = join(system.folder, "server.json");
  writeFileSync(path, JSON.stringify({ url: "http://127.0.0.1:1", pid: 1, socket: join(system.folder, "gone.sock") }));
  await expect(call()).rejects.toMatchObject({ exitCode: 7, message: expect.stringContaining("npm start") });
  writeFileSync(path, "{");
  await expect(call()).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining("damaged") });
});
