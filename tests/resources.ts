import type { Sample, TestReply, World } from "./world.ts";

/** Path parameters of one resource, such as {flowId: "…"}. */
export type Params = Record<string, string>;

/** How the matrix makes a resource of its own for a path of the document. */
export interface ResourceKind {
  /** Makes a new one in a workspace. */
  make(world: World, sample: Sample): Promise<Params>;
  /** Bodies that suit an existing one, by method and the path's last part. */
  bodies?: Record<string, unknown>;
  /** Deletes it, where the API can. */
  remove?: string;
}

async function post(world: World, sample: Sample, path: string, body: unknown): Promise<TestReply["body"]> {
  const reply = await world.request("POST", path, { key: sample.apiKey, body });
  if (reply.status >= 300) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`);
  return reply.body;
}

let counter = 0;

/** By the path up to its last parameter (or a part of the path behind it). The longest that fits counts. */
export const RESOURCES: Record<string, ResourceKind> = {
  "/flows/{flowId}": {
    make: async (world, sample) => ({ flowId: String((await post(world, sample, "/flows", { name: "Matrix" })).id) }),
    bodies: { "PUT {flowId}": { name: "Changed" } },
    remove: "/flows/{flowId}",
  },
  "/structured-outputs/{id}": {
    make: async (world, sample) => ({
      id: String((await post(world, sample, "/structured-outputs", { name: "m", schema: { type: "object" } })).id),
    }),
    bodies: { "PUT {id}": { name: "Changed" } },
    remove: "/structured-outputs/{id}",
  },
  "/phone-numbers/{id}": {
    make: async (world, sample) => {
      const phoneNumber = `+612555001${String(++counter % 90).padStart(2, "0")}`;
      return { id: String((await post(world, sample, "/phone-numbers", { provider: "SANDBOX", phoneNumber })).id) };
    },
    bodies: { "PUT {id}": { label: "Changed" } },
    remove: "/phone-numbers/{id}",
  },
  "/call-rows/{rowId}": {
    make: async (world, sample) => {
      const placed = await post(world, sample, "/outbound/calls", { customerNumber: "+12025550100" });
      const path = `/call-rows/${String(placed.rowId)}`;
      for (;;) {
        const { body } = await world.request("GET", path, { key: sample.apiKey });
        if (body.endedAt !== null) return { rowId: String(placed.rowId) };
      }
    },
  },
  "/call-jobs/{jobId}": {
    make: async (world, sample) => {
      const startAt = new Date(Date.now() + 86_400_000).toISOString();
      const rows = [{ customerNumber: "+12025550100" }];
      return { jobId: String((await post(world, sample, "/call-jobs", { name: "m", rows, startAt })).id) };
    },
  },
};
