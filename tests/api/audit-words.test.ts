import { afterAll, beforeAll, expect, test } from "vitest";
import { AUDIT_EVENTS } from "#src/tenancy/audit/actions.ts";
import { CALL_ACTIONS } from "../../web/src/features/settings/audit/call-actions.ts";
import { EVENT_ACTIONS } from "../../web/src/features/settings/audit/event-actions.ts";
import { FLOW_ACTIONS } from "../../web/src/features/settings/audit/flow-actions.ts";
import { WORKSPACE_ACTIONS } from "../../web/src/features/settings/audit/workspace-actions.ts";
import { inviteMember, PASSWORD, setUpOwner, type Tab, tokenOf } from "../kit/console-harness.ts";
import { World } from "../kit/world.ts";

/* The audit log in words: each action has some, objects have names, and a workspace sees what happens to its people. */

const WORKSPACE = "/api/console/workspaces/{workspaceId}/";
/** Writes whose handlers write entries with names of their own. */
const NAMED =
  /^(PUT|DELETE) \/members\/|^(POST|DELETE) \/invitations|^(PUT|DELETE) \/speech-accounts\/\{provider\}$|^POST \/opt-out-reviews\//;

let world: World;
let owner: Tab;
let path: string;
beforeAll(async () => {
  world = await World.start();
  owner = await setUpOwner(world);
  path = `/workspaces/${world.sample.workspaceId}`;
});
afterAll(() => world[Symbol.asyncDispose]());

interface Entry {
  action: string;
  actor: string;
  target: string | null;
  object: { kind: string; name: string | null; within: string[] } | null;
  details: Record<string, unknown>;
}

async function logOf(query = ""): Promise<Entry[]> {
  const { body, text, status } = await owner.ask("GET", `${path}/audit-log?size=200${query}`);
  expect(status, text).toBe(200);
  return (body.content as Entry[]).toReversed();
}

test("every write that the dashboard audits has words, and no words are for a write that is gone", async () => {
  const { body } = await owner.ask("GET", "/openapi.json");
  const routes = Object.entries(body.paths as Record<string, object>)
    .filter(([route]) => route.startsWith(WORKSPACE))
    .flatMap(([route, methods]) =>
      Object.keys(methods)
        .filter((method) => method !== "get")
        .map((method) => `${method.toUpperCase()} /${route.slice(WORKSPACE.length)}`),
    )
    .filter((action) => !NAMED.test(action));
  const words = { ...FLOW_ACTIONS, ...CALL_ACTIONS, ...WORKSPACE_ACTIONS };
  expect(routes.length).toBeGreaterThan(120);
  expect(Object.keys(words).toSorted()).toEqual(routes.toSorted());
  expect(Object.keys(EVENT_ACTIONS).toSorted()).toEqual([...AUDIT_EVENTS].toSorted());
});

test("an entry names its object while it exists, and what holds it", async () => {
  const { agent, flow } = world.sample;
  const made = await owner.ask("POST", `${path}/structured-outputs`, { name: "x", schema: { type: "object" } });
  const title = { title: "Prices", type: "TEXT", content: "Ten." };
  const item = await owner.ask("POST", `${path}/agents/${agent.id}/knowledge-base/items`, title);
  await owner.ask("PUT", `${path}/agents/${agent.id}/knowledge-base/items/${String(item.body.id)}`, { title: "Costs" });
  await owner.ask("PUT", `${path}/flows/${flow.id}/draft`, { name: "Reminder" });
  await owner.ask("POST", `${path}/flows/${flow.id}/publish`, {});
  await owner.ask("POST", `${path}/flows/${flow.id}/versions/1/restore`, {});
  const entries = await logOf("&action=agents,flows");
  const seen = entries.map(({ action, object }) => [action, object?.kind, object?.name, object?.within]);
  expect(seen).toContainEqual(["POST /agents/{agentId}/knowledge-base/items", "AGENT", expect.any(String), []]);
  const change = "PUT /agents/{agentId}/knowledge-base/items/{itemId}";
  expect(seen).toContainEqual([change, "KNOWLEDGE_ITEM", "Costs", [agent.id]]);
  const restored = entries.find(({ action }) => action === "POST /flows/{flowId}/versions/{version}/restore");
  expect(restored, JSON.stringify(seen)).toMatchObject({ target: flow.id, object: { kind: "FLOW" } });
  expect(restored?.details).toEqual({ version: 1 });
  expect(made.status, made.text).toBeLessThan(300);
  await owner.ask("DELETE", `${path}/structured-outputs/${String(made.body.id)}`);
  const gone = (await logOf("&action=structured-outputs")).map(({ target, object }) => [target, object]);
  expect(gone).toEqual([
    [made.body.id, null],
    [made.body.id, null],
  ]);
});

test("a workspace's log has what happens to the accounts of its people, once, and not what happens elsewhere", async () => {
  const { workspaceId } = world.sample;
  const member = await inviteMember(world, workspaceId, "BUILDER");
  const email = `builder-${workspaceId.slice(-6)}@example.com`;
  const users = (await owner.ask("GET", "/users")).body as unknown as { id: string; email: string }[];
  const { id } = users.find((user) => user.email === email) ?? { id: "" };

  const next = "another horse battery";
  await member.ask("POST", "/password", { currentPassword: PASSWORD, newPassword: next });
  const link = await owner.ask("POST", `/users/${id}/reset-link`);
  await member.ask("POST", "/password/reset", { token: tokenOf(link.body), password: PASSWORD });
  const reset = await world.operator("user.reset", { email });
  await member.ask("POST", "/password/reset", { token: tokenOf(reset), password: next });
  await member.ask("DELETE", "/sessions");
  await member.signIn(email, next);
  const sessions = (await member.ask("GET", "/sessions")).body as unknown as { id: string; isCurrent: boolean }[];
  await member.ask("DELETE", `/sessions/${sessions.find(({ isCurrent }) => !isCurrent)?.id ?? ""}`);
  await world.operator("user.reset-second-factor", { email });
  await world.operator("user.disable", { email });
  await owner.ask("POST", `/users/${id}/enable`);

  const other = await world.createWorkspace();
  const stranger = await inviteMember(world, other.workspaceId, "BUILDER");
  await stranger.ask("POST", "/password", { currentPassword: PASSWORD, newPassword: next });

  const entries = await logOf("&action=user.,session.");
  expect(entries.map(({ action, actor, target }) => [action, actor, target])).toEqual([
    ["user.password_changed", email, email],
    ["user.reset_link_created", "owner@example.com", email],
    ["user.password_reset", email, email],
    ["user.reset_link_created", "operator", email],
    ["user.password_reset", email, email],
    ["session.others_ended", email, null],
    ["session.other_ended", email, expect.any(String)],
    ["user.second_factors_reset", "operator", email],
    ["user.disabled", "operator", email],
    ["user.enabled", "owner@example.com", email],
  ]);
  expect(entries[0]?.object).toEqual({ kind: "MEMBER", name: email, within: [] });
});

test("an act that has an entry of its own has no other one", async () => {
  const changed = await owner.ask("PUT", `${path}/speech-accounts/DEEPGRAM`, { apiKey: "k".repeat(20) });
  expect(changed.status, changed.text).toBe(200);
  expect((await logOf("&action=speech")).map(({ action }) => action)).toEqual(["speech.changed"]);
});
