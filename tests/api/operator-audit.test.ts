import { afterAll, beforeAll, expect, test } from "vitest";
import { setUpOwner, type Tab } from "../kit/console-harness.ts";
import { World } from "../kit/world.ts";

/* Everything that changes something by the operator's socket is in the audit log; the dashboard's tests have the rest. */

let world: World;
let owner: Tab;
beforeAll(async () => {
  world = await World.start();
  owner = await setUpOwner(world);
});
afterAll(() => world[Symbol.asyncDispose]());

interface Entry {
  action: string;
  actorKind: string;
  actor: string;
  target: string | null;
  details: Record<string, unknown>;
}

async function entriesOf(path: string): Promise<Entry[]> {
  const { status, body, text } = await owner.ask("GET", `${path}/audit-log?size=200`);
  expect(status, text).toBe(200);
  return (body.content as Entry[]).filter(({ actorKind }) => actorKind === "OPERATOR").toReversed();
}

const ofWorkspace = () => entriesOf(`/workspaces/${world.sample.workspaceId}`);

test("what the operator does to a workspace is in its log, with what it was done to, and without a secret", async () => {
  const { workspaceId } = world.sample;
  const before = await ofWorkspace();
  expect(before).toMatchObject([{ action: "workspace.created", target: workspaceId, actor: "operator" }]);

  const key = (await world.operator("key.create", { workspaceId, name: "CI" })) as { keyId: string; apiKey: string };
  const rotated = await world.operator("key.rotate", { workspaceId, id: key.keyId, overlapSeconds: 60 });
  await world.operator("key.limits", { workspaceId, id: key.keyId, allowedAddresses: ["127.0.0.1"] });
  await world.operator("key.revoke", { id: key.keyId });
  const client = (await world.operator("client.create", { workspaceId, permissions: ["FLOWS"] })) as {
    clientId: string;
    clientSecret: string;
  };
  const { clientId } = client;
  await world.operator("client.permissions", { clientId, permissions: ["TOOLS_READ"] });
  await world.operator("client.revoke", { clientId });
  await world.operator("workspace.update", { id: workspaceId, name: "Renamed", maxAttemptsPerDay: 3 });
  await world.operator("workspace.topup", { id: workspaceId, amount: "12.50", reference: "invoice 7" });
  await world.operator("workspace.prices", { id: workspaceId, creditLimit: "10" });

  const after = await ofWorkspace();
  expect(after.slice(1).map(({ action, target, details }) => [action, target, details])).toEqual([
    ["key.created", key.keyId, {}],
    ["key.rotated", key.keyId, { overlapSeconds: 60 }],
    ["key.limits_changed", key.keyId, expect.objectContaining({ allowedAddresses: ["127.0.0.1"] })],
    ["key.revoked", key.keyId, {}],
    ["client.created", clientId, {}],
    ["client.permissions_changed", clientId, { permissions: ["TOOLS_READ"] }],
    ["client.revoked", clientId, {}],
    ["workspace.changed", workspaceId, { fields: ["name", "maxAttemptsPerDay"] }],
    ["balance.topped_up", workspaceId, { amount: "12.50", reference: "invoice 7" }],
    ["prices.changed", workspaceId, { fields: ["creditLimit"] }],
  ]);
  const shown = JSON.stringify(after);
  for (const secret of [key.apiKey, rotated.apiKey, client.clientSecret]) {
    expect(secret).toEqual(expect.any(String));
    expect(shown).not.toContain(secret);
  }
});

test("a command that is refused leaves no entry, and reading leaves none", async () => {
  const before = await ofWorkspace();
  const { workspaceId } = world.sample;
  await expect(world.operator("key.create", { workspaceId, permissions: ["NONE_SUCH"] })).rejects.toThrow();
  await expect(world.operator("workspace.topup", { id: workspaceId, amount: "much" })).rejects.toThrow();
  const account = { workspaceId, provider: "TWILIO", settings: {}, secrets: {} };
  await expect(world.operator("carrier.add", account)).rejects.toThrow();
  for (const command of ["key.list", "client.list", "carrier.list"]) await world.operator(command, { workspaceId });
  expect(await ofWorkspace()).toEqual(before);
  expect(await world.database.query("select 1 from audit_intents")).toEqual([]);
});

test("accounts of carriers that the operator adds, changes and removes are in the log of their workspace", async () => {
  const live = (await world.operator("workspace.create", { name: "Live", mode: "LIVE" })) as { workspaceId: string };
  const { workspaceId } = live;
  const settings = { accountSid: `AC${"0".repeat(32)}` };
  const secrets = { authToken: "1".repeat(32) };
  const given = { workspaceId, provider: "TWILIO", settings, secrets, unchecked: true, label: "Main" };
  const { id } = (await world.operator("carrier.add", given)) as { id: string };
  await world.operator("carrier.update", { id, label: "Other", unchecked: true });
  await world.operator("carrier.remove", { id });
  const rows = await world.database.query<{ action: string; target: string; details: object }>(
    "select action, target, details from audit_log where workspace_id = $1 order by id",
    [workspaceId],
  );
  expect(rows.slice(1).map(({ action, target }) => [action, target])).toEqual([
    ["carrier_account.created", id],
    ["carrier_account.changed", id],
    ["carrier_account.deleted", id],
  ]);
  expect(JSON.stringify(rows)).not.toContain(secrets.authToken);
});

test("links for the first account, and the end of a process, are in the log of the installation", async () => {
  await world.operator("drain", { seconds: 600 });
  const actions = (await entriesOf("")).map(({ action }) => action);
  expect(actions).toEqual(["setup_link.created", "node.drained"]);
});
