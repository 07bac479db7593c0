import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../kit/free-port.ts";
import { type ContainerTools } from "./container-tools.ts";

const READY_MS = 120_000;
const CALL_MS = 120_000;
/** States of a row whose call can still end well. */
const LIVE = ["QUEUED", "DIALING", "RINGING", "IN_PROGRESS"];
/** As the manifests in deploy/ run it: only /data and /tmp can be written to. */
const LOCKED = [
  "--read-only",
  "--read-only-tmpfs=false",
  "--tmpfs=/tmp:rw,mode=1777,size=64m",
  "--cap-drop=all",
  "--security-opt=no-new-privileges",
];

type Print = (line: string) => void;

/** Runs the image without a database and with one; returns what was not as it should be. */
export async function inspectRuns(
  tools: ContainerTools,
  image: string,
  databaseUrl: string,
  print: Print,
): Promise<string[]> {
  const faults = await runWithoutDatabase(tools, image);
  const name = `parley-image-${process.pid}`;
  const port = await freePort();
  const env = [`--env=DATABASE_URL=${databaseUrl}`, `--env=PORT=${port}`];
  await tools.podmanOrThrow("run", "--detach", `--name=${name}`, ...tools.runOptions, ...LOCKED, ...env, image);
  const startedAt = performance.now();
  try {
    const url = `http://127.0.0.1:${port}`;
    await waitUntilReady(tools, name, url);
    print(`Ready ${Math.round(performance.now() - startedAt)} ms after its start, with an empty database to migrate.`);
    faults.push(...(await inspectProcess(tools, name, print)));
    faults.push(...(await inspectPages(url)));
    faults.push(...(await makeCall(tools, name, url, print)));
    faults.push(...(await stop(tools, name, databaseUrl, print)));
  } catch (error) {
    print((await tools.podman("logs", name)).output);
    throw error;
  } finally {
    await tools.podman("rm", "--force", "--volumes", name);
  }
  return faults;
}

/** Without DATABASE_URL the server must end with an error that names it. */
async function runWithoutDatabase(tools: ContainerTools, image: string): Promise<string[]> {
  const { code, output } = await tools.podman("run", "--rm", ...tools.runOptions, ...LOCKED, image);
  return code === 1 && output.includes("Set DATABASE_URL") ? [] : [`Without DATABASE_URL it ended ${code}: ${output}`];
}

async function waitUntilReady(tools: ContainerTools, name: string, url: string): Promise<void> {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await pause(50)) {
    const reply = await fetch(`${url}/ready`).catch(() => undefined);
    if (reply?.status === 200) return;
    const runs = await tools.podmanOrThrow("container", "inspect", "--format={{.State.Running}}", name);
    if (runs.trim() !== "true") break;
  }
  throw new Error("The container did not get ready.");
}

/** Asks the kernel about process 1 of the container, writes where nothing may be written, and runs its HEALTHCHECK. */
async function inspectProcess(tools: ContainerTools, name: string, print: Print): Promise<string[]> {
  const exec = (...command: string[]) => tools.podman("exec", name, ...command);
  const status = (await exec("cat", "/proc/1/status")).output;
  print(`Memory: ${Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024)} MiB.`);
  const faults: string[] = [];
  if (!/^Name:\s+(node|MainThread)$/m.test(status)) faults.push(`Process 1 is not node: ${status.split("\n")[0]}`);
  if (!/^Uid:\s+10001\s/m.test(status)) faults.push("The process does not run as 10001.");
  if (!/^CapEff:\s+0+$/m.test(status)) faults.push("The process has capabilities.");
  for (const path of ["/x", "/app/x", "/app/src/x", "/app/compiled/x", "/home/x"]) {
    if ((await exec("touch", path)).code === 0) faults.push(`${path} can be written.`);
  }
  for (const path of ["/data/x", "/tmp/x"]) {
    if ((await exec("touch", path)).code !== 0) faults.push(`${path} cannot be written.`);
  }
  const health = await tools.podman("healthcheck", "run", name);
  if (health.code !== 0) faults.push(`HEALTHCHECK: ${health.output}`);
  return faults;
}

async function inspectPages(url: string): Promise<string[]> {
  const reply = await fetch(url, { headers: { accept: "text/html" } });
  const text = await reply.text();
  return reply.status === 200 && text.includes("/assets/") ? [] : [`The dashboard answers ${reply.status}: ${text}`];
}

/** Makes a workspace by the command in the container, and a sandbox call by the API, up to its end. */
async function makeCall(tools: ContainerTools, name: string, url: string, print: Print): Promise<string[]> {
  const options = ["--name", "Image", "--sample", "--sandbox-speed", "instant"];
  const made = await tools.podmanOrThrow("exec", name, "parley", "--json", "workspace", "create", ...options);
  const { apiKey, flow } = JSON.parse(made) as { apiKey: string; flow: { apiId: string } };
  const ask = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const headers = { "x-api-key": apiKey, "content-type": "application/json", "idempotency-key": "image" };
    const init = body ? { method, headers, body: JSON.stringify(body) } : { method, headers };
    const reply = await fetch(`${url}/api/external/v1${path}`, init);
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  };
  const { rowId } = await ask("POST", "/outbound/calls", { customerNumber: "+12025550100", flowApiId: flow.apiId });
  let status = "QUEUED";
  for (const deadline = Date.now() + CALL_MS; Date.now() < deadline; await pause(100)) {
    ({ status } = (await ask("GET", `/call-rows/${String(rowId)}`)) as { status: string });
    if (!LIVE.includes(status)) break;
  }
  print(`The first call is ${status}.`);
  return status === "COMPLETED" ? [] : [`The first call is ${status}, not COMPLETED.`];
}

/** Sends SIGTERM; the process must end with 0 and give up its lease, which only an orderly stop does. */
async function stop(tools: ContainerTools, name: string, databaseUrl: string, print: Print): Promise<string[]> {
  const startedAt = performance.now();
  await tools.podmanOrThrow("kill", "--signal=TERM", name);
  const code = (await tools.podmanOrThrow("wait", name)).trim();
  print(`SIGTERM ended it with code ${code} after ${Math.round(performance.now() - startedAt)} ms.`);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ alive: number }>(
    "select count(*)::int as alive from nodes where alive_until > '-infinity'",
  );
  await client.end();
  const faults = code === "0" ? [] : [`SIGTERM ended it with code ${code}.`];
  if (rows[0]?.alive !== 0) faults.push("The stopped server kept its lease.");
  return faults;
}
