import Fastify from "fastify";
import pg from "pg";

/**
 * The peer of the request path: Fastify as it comes, one named prepared read of the same flow row, JSON out. No
 * credential, no limit, no permission, no validation.
 */
const [connection, port] = process.argv.slice(2);
const pool = new pg.Pool({ ...(JSON.parse(connection as string) as pg.PoolConfig), max: 16 });
const app = Fastify({ logger: false });
app.get<{ Params: { workspaceId: string; flowId: string } }>("/flows/:workspaceId/:flowId", async ({ params }) => {
  const found = await pool.query({
    name: "flow",
    text: "select * from flows where workspace_id = $1 and id = $2",
    values: [params.workspaceId, params.flowId],
  });
  return found.rows[0];
});
app.get("/ready", () => ({}));
await app.listen({ port: Number(port), host: "127.0.0.1" });
