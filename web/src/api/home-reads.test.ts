import { expect, test } from "vitest";
import { listHomeReads } from "./home-reads.ts";
import type { Session } from "./session.ts";

const access = {
  id: "w1",
  name: "A",
  mode: "SANDBOX",
  timeZone: "UTC",
  role: "VIEWER",
  lacksSecondFactor: false,
} as const;
const workspaces = [{ ...access, permissions: ["BALANCE_READ"] }];
const session = { needsSetup: false, csrfToken: "t", workspaces, secondStep: null };
const user = { id: "u", email: "a@example.com", name: "A", isInstallationOwner: false, hasSecondFactor: false };
const readsAt = (address: string, by: Partial<Session> = { user }) =>
  listHomeReads(address, { user: null, ...session, ...by }).map(({ workspaceId, path }) => `${workspaceId} ${path}`);

test("at home, what this person may read is asked for; at any other screen, and by strangers, nothing", () => {
  expect(readsAt("/w/w1")).toEqual(["w1 /overview", "w1 /balance"]);
  expect(readsAt("/w/w1/")).toEqual(["w1 /overview", "w1 /balance"]);
  for (const address of ["/w/w1/calls", "/w/w2", "/sign-in", "/setup/w1"]) expect(readsAt(address)).toEqual([]);
  expect(readsAt("/w/w1", { user: null })).toEqual([]);
  const strict = workspaces.map((one) => ({ ...one, lacksSecondFactor: true }));
  expect(readsAt("/w/w1", { user, workspaces: strict })).toEqual([]);
});
