import { expect, test } from "vitest";
import { canMount, Disk } from "../kit/disks.ts";
import { ServerProcess } from "../kit/server-process.ts";

/** Calls that are placed while the disk fills up. */
const CALLS = 400;

test.skipIf(!canMount(() => Disk.inMemory(1)))(
  "the embedded database on a disk that is full loses nothing that was acknowledged, and goes on by itself",
  async () => {
    using disk = Disk.inMemory(400);
    const server = await ServerProcess.create({ DATA_DIR: `${disk.folder}/here` });
    try {
      await server.start();
      const { apiKey } = (await server.operator("workspace.create", { name: "Test", sample: true })) as {
        apiKey: string;
      };
      const request = async (path: string, body?: object) => {
        const headers = { "x-api-key": apiKey, "content-type": "application/json" };
        const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
        const reply = await fetch(`${server.url}/api/external/v1${path}`, init);
        return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
      };
      const acknowledged: string[] = [];
      const refused = new Set<number>();
      const place = async (index: number) => {
        // Records of some size, so that the database needs further pages and a further file of its log.
        const contextData = { note: "a note about this person ".repeat(400), index };
        const { status, body } = await request("/outbound/calls", { customerNumber: "+12025550100", contextData });
        if (status === 200) acknowledged.push(String(body.rowId));
        else refused.add(status);
      };
      await place(0);
      const free = disk.fill();
      for (let index = 1; index <= CALLS && refused.size === 0; index++) await place(index);
      await expect.poll(async () => (await place(-1), refused.size), { timeout: 60_000 }).toBeGreaterThan(0);
      expect([...refused].filter((status) => status !== 503 && status !== 507)).toEqual([]);
      free();
      const ready = () =>
        fetch(`${server.url}/ready`).then(
          ({ status }) => status,
          () => 0,
        );
      await expect.poll(ready, { timeout: 90_000, interval: 500 }).toBe(200);
      for (const id of acknowledged) {
        const end = async () => (await request(`/call-rows/${id}`)).body.endedAt;
        await expect.poll(end, { timeout: 90_000, interval: 500 }).toEqual(expect.any(String));
      }
      expect((await request("/outbound/calls", { customerNumber: "+12025550101" })).status).toBe(200);
    } finally {
      await server.stop();
    }
  },
  300_000,
);
