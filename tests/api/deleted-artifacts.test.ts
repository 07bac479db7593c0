import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "#src/platform/config/config.ts";
import { forgetExpired } from "#src/platform/db/retention.ts";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

/** An automation with the artifact of its one run. */
async function makeExport(): Promise<{ path: string; artifactId: string }> {
  const made = await world.request("POST", "/automations", { body: { name: "Export", kind: "EXPORT" } });
  expect(made.status, made.text).toBe(200);
  const path = `/automations/${String(made.body.id)}`;
  await world.request("POST", `${path}/run`);
  const { content } = await world.until(`${path}/artifacts`, (page) => page.totalElements === 1);
  return { path, artifactId: (content as { id: string }[])[0]?.id ?? "" };
}

test("DELETE of an automation takes runs and artifacts along, and their pieces soon after", async () => {
  const { path, artifactId } = await makeExport();
  expect((await world.request("DELETE", path)).status).toBe(204);
  for (const gone of [`/artifacts/${artifactId}`, `/artifacts/${artifactId}/content`, `${path}/artifacts`])
    expect([gone, (await world.request("GET", gone)).status]).toEqual([gone, 404]);
  await forgetExpired(world.database.pool(), readConfig({}).retention, new AbortController().signal);
  for (const table of ["artifact_chunks", "dropped_artifacts"])
    expect(await world.database.query(`select 1 from ${table} where artifact_id = $1`, [artifactId])).toEqual([]);
});

test("an artifact that is deleted while it is read is not found", async () => {
  const { artifactId } = await makeExport();
  await world.database.query("delete from artifact_chunks where artifact_id = $1", [artifactId]);
  expect((await world.request("GET", `/artifacts/${artifactId}`)).status).toBe(404);
});
