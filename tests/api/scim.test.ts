import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inviteMember, setUpOwner, type Tab } from "../kit/console-harness.ts";
import { Directory, PATCH_OP } from "../kit/sign-on/directory.ts";
import { World } from "../kit/world.ts";

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";

let world: World;
let owner: Tab;
let acme: Directory;
let rival: Directory;

let people = 0;
function newUser(more: object = {}) {
  const userName = `person-${++people}@example.com`;
  return { schemas: [USER], userName, name: { givenName: "Ada", familyName: `P${people}` }, active: true, ...more };
}

async function addDirectory(key: string, domains: string[], more: object = {}): Promise<Directory> {
  const provider = { key, name: key, issuer: "https://id.example.com", clientId: "x", domains, ...more };
  const { body } = await owner.ask("POST", "/identity-providers", provider);
  const made = await owner.ask("POST", `/identity-providers/${String(body.id)}/scim-tokens`, {});
  return new Directory(world.url, String(body.id), String(made.body.token));
}

async function accountOf(id: string): Promise<{ email: string; name: string; disabled: boolean }> {
  const rows = await world.database.query<{ email: string; name: string; disabled: boolean }>(
    "select email, name, disabled_at is not null as disabled from users where id = $1",
    [id],
  );
  return rows[0] as { email: string; name: string; disabled: boolean };
}

async function rolesOf(userId: string): Promise<[string, string][]> {
  const rows = await world.database.query<{ workspace_id: string; role: string }>(
    "select workspace_id, role from memberships where user_id = $1 order by workspace_id",
    [userId],
  );
  return rows.map((row) => [row.workspace_id, row.role]);
}

beforeAll(async () => {
  world = await World.start();
  owner = await setUpOwner(world);
  const groupRoles = [{ group: "Callers", workspaceId: world.sample.workspaceId, role: "OPERATOR" }];
  acme = await addDirectory("acme", ["example.com"], { groupRoles });
  rival = await addDirectory("rival", ["rival.com"]);
});
afterAll(() => world[Symbol.asyncDispose]());

describe("a SCIM token", () => {
  it("is shown once, and its digest alone is stored; revoked, it is refused", async () => {
    const made = await owner.ask("POST", `/identity-providers/${acme.id}/scim-tokens`, {});
    const other = new Directory(world.url, acme.id, String(made.body.token));
    expect((await other.ask("GET", "/Users")).status).toBe(200);
    const listed = await owner.ask("GET", `/identity-providers/${acme.id}/scim-tokens`);
    expect(listed.text).not.toContain(other.token);
    expect(listed.body).toContainEqual(expect.objectContaining({ id: made.body.id, last4: other.token.slice(-4) }));
    const stored = await world.database.query("select encode(token_hash, 'escape') as text from scim_tokens");
    expect(JSON.stringify(stored)).not.toContain(other.token);
    expect((await owner.ask("DELETE", `/scim-tokens/${String(made.body.id)}`)).status).toBe(204);
    const refused = await other.ask("GET", "/Users");
    expect(refused.status).toBe(401);
    expect(refused.body).toMatchObject({ schemas: [ERROR], status: "401" });
    expect(refused.headers.get("content-type")).toMatch(/^application\/scim\+json/);
  });

  it("is no API key, and an API key is no SCIM token", async () => {
    expect((await new Directory(world.url, "", world.sample.apiKey).ask("GET", "/Users")).status).toBe(401);
    const authorization = `Bearer ${acme.token}`;
    expect((await world.request("GET", "/flows", { key: null, headers: { authorization } })).status).toBe(401);
  });

  it("of one company sees nobody of another", async () => {
    const { id } = await acme.make("Users", newUser());
    const group = await acme.make("Groups", { schemas: [GROUP], displayName: "Only ours", members: [{ value: id }] });
    for (const path of [`/Users/${id}`, `/Groups/${group.id}`]) {
      expect((await rival.ask("GET", path)).status).toBe(404);
      expect((await rival.ask("DELETE", path)).status).toBe(404);
      const body = { schemas: [PATCH_OP], Operations: [{ op: "replace", path: "active", value: false }] };
      expect((await rival.ask("PATCH", path, body)).status).toBe(404);
    }
    expect((await rival.ask("GET", "/Users")).body).toMatchObject({ totalResults: 0, Resources: [] });
    expect((await rival.ask("GET", "/Groups")).body).toMatchObject({ totalResults: 0 });
    const stranger = { schemas: [GROUP], displayName: "Theirs", members: [{ value: id }] };
    expect((await rival.ask("POST", "/Groups", stranger)).status).toBe(400);
    const claimed = await rival.ask("POST", "/Users", newUser({ userName: "boss@example.com" }));
    expect([claimed.status, claimed.body.scimType]).toEqual([400, "invalidValue"]);
    expect((await accountOf(id)).disabled).toBe(false);
  });
});

describe("people, as Okta provisions them", () => {
  it("are looked up, made, changed whole, deactivated without a path, and activated again", async () => {
    const userName = "okta.person@example.com";
    const filter = encodeURIComponent(`userName eq "${userName}"`);
    const none = await acme.ask("GET", `/Users?filter=${filter}&startIndex=1&count=100`);
    expect(none.body).toEqual({ schemas: [LIST], totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] });
    const sent = {
      schemas: [USER],
      userName,
      name: { givenName: "Test", familyName: "User" },
      emails: [{ primary: true, value: userName, type: "work" }],
      displayName: "Test User",
      locale: "en-US",
      externalId: "00ujl29u0le5T6Aj10h7",
      groups: [],
      password: "1mz050nq",
      active: true,
    };
    const made = await acme.make("Users", sent);
    const { password: _, groups: __, locale: ___, ...kept } = sent;
    expect(made).toMatchObject(kept);
    expect(made.password).toBeUndefined();
    expect((await acme.ask("GET", `/Users?filter=${filter}`)).body.Resources).toEqual([made]);
    expect((await acme.ask("POST", "/Users", sent)).body).toMatchObject({ status: "409", scimType: "uniqueness" });
    const put = {
      ...sent,
      id: made.id,
      name: { givenName: "Another", familyName: "User" },
      displayName: "Another User",
    };
    expect((await acme.ask("PUT", `/Users/${made.id}`, put)).body).toMatchObject({ name: put.name });
    expect(await accountOf(made.id)).toMatchObject({ name: "Another User", email: userName });
    const off = await acme.patch(`/Users/${made.id}`, { op: "replace", value: { active: false } });
    expect([off.active, (await accountOf(made.id)).disabled]).toEqual([false, true]);
    const { active: ____, ...silent } = put;
    expect((await acme.ask("PUT", `/Users/${made.id}`, silent)).body.active).toBe(false);
    const on = await acme.patch(`/Users/${made.id}`, { op: "replace", value: { active: true } });
    expect([on.active, (await accountOf(made.id)).disabled]).toEqual([true, false]);
  });
});

describe("people, as Microsoft Entra ID provisions them", () => {
  it("are made with attributes that are not kept, and changed by paths, capitals and texts", async () => {
    const made = await acme.make("Users", {
      schemas: [USER, "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
      externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
      userName: "entra.person@example.com",
      active: true,
      emails: [{ primary: true, type: "work", value: "entra.person@example.com" }],
      meta: { resourceType: "User" },
      name: { formatted: "givenName familyName", familyName: "familyName", givenName: "givenName" },
      roles: [],
    });
    const byExternalId = encodeURIComponent('externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"');
    expect((await acme.ask("GET", `/Users?filter=${byExternalId}`)).body.Resources).toEqual([made]);
    const changed = await acme.patch(
      `/Users/${made.id}`,
      { op: "Replace", path: 'emails[type eq "work"].value', value: "updated.entra@example.com" },
      { op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
      { op: "Add", path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", value: "Sales" },
    );
    expect(changed).toMatchObject({
      emails: [{ primary: true, type: "work", value: "updated.entra@example.com" }],
      name: { givenName: "givenName", familyName: "updatedFamilyName" },
    });
    expect(await accountOf(made.id)).toMatchObject({ email: "updated.entra@example.com" });
    const renamed = await acme.patch(`/Users/${made.id}`, {
      op: "Add",
      value: { "name.givenName": "Given", displayName: "Given Name" },
    });
    expect(renamed).toMatchObject({ displayName: "Given Name", name: { givenName: "Given" } });
    const userName = "5b50642d-79fc-4410-9e90-4c077cdd1a59@example.com";
    const moved = await acme.patch(`/Users/${made.id}`, { op: "Replace", path: "userName", value: userName });
    expect(moved.userName).toBe(userName);
    const off = await acme.patch(`/Users/${made.id}`, { op: "Replace", path: "active", value: "False" });
    expect([off.active, (await accountOf(made.id)).disabled]).toEqual([false, true]);
    const on = await acme.patch(`/Users/${made.id}`, { op: "Replace", path: "active", value: "True" });
    expect([on.active, (await accountOf(made.id)).disabled]).toEqual([true, false]);
    expect((await acme.ask("DELETE", `/Users/${made.id}`)).status).toBe(204);
    expect((await acme.ask("GET", `/Users/${made.id}`)).status).toBe(404);
    expect((await accountOf(made.id)).disabled).toBe(true);
    const again = await acme.make("Users", newUser({ userName }));
    expect(again.id).toBe(made.id);
    expect((await accountOf(made.id)).disabled).toBe(false);
  });
});

describe("the e-mail address of an account", () => {
  const home = { value: "ada@home.example", type: "home" };
  const work = (name: string) => ({ value: `${name}@example.com`, type: "work" });

  it("stays the one of work when that is replaced, however the directory says so", async () => {
    const emails = [work("work.1"), home];
    const { id } = await acme.make("Users", newUser({ userName: "work-and-home", emails }));
    const path = 'emails[type eq "work"].value';
    await acme.patch(`/Users/${id}`, { op: "replace", path, value: "work.2@example.com" });
    expect(await accountOf(id)).toMatchObject({ email: "work.2@example.com" });
    await acme.patch(`/Users/${id}`, { op: "replace", path: "emails", value: [home, work("work.3")] });
    expect(await accountOf(id)).toMatchObject({ email: "work.3@example.com" });
  });
});

describe("groups", () => {
  it("give roles as Okta changes them, and take them away", async () => {
    const [ada, ben] = [await acme.make("Users", newUser()), await acme.make("Users", newUser())];
    const { workspaceId } = world.sample;
    const group = await acme.make("Groups", { schemas: [GROUP], displayName: "Callers", members: [{ value: ada.id }] });
    expect(await rolesOf(ada.id)).toEqual([[workspaceId, "OPERATOR"]]);
    await acme.patch(`/Groups/${group.id}`, { op: "add", path: "members", value: [{ value: ben.id, display: "Ben" }] });
    expect(await rolesOf(ben.id)).toEqual([[workspaceId, "OPERATOR"]]);
    await acme.patch(`/Groups/${group.id}`, { op: "remove", path: `members[value eq "${ada.id}"]` });
    expect([await rolesOf(ada.id), await rolesOf(ben.id)]).toEqual([[], [[workspaceId, "OPERATOR"]]]);
    await acme.patch(`/Groups/${group.id}`, { op: "replace", path: "members", value: [{ value: ada.id }] });
    expect([await rolesOf(ada.id), await rolesOf(ben.id)]).toEqual([[[workspaceId, "OPERATOR"]], []]);
    const renamed = { op: "replace", value: { id: group.id, displayName: "Others" } };
    expect(await acme.patch(`/Groups/${group.id}`, renamed)).toMatchObject({ displayName: "Others" });
    expect(await rolesOf(ada.id)).toEqual([]);
    const put = { schemas: [GROUP], id: group.id, displayName: "Callers", members: [{ value: ben.id }] };
    expect((await acme.ask("PUT", `/Groups/${group.id}`, put)).status).toBe(200);
    expect(await rolesOf(ben.id)).toEqual([[workspaceId, "OPERATOR"]]);
    expect((await acme.ask("DELETE", `/Groups/${group.id}`)).status).toBe(204);
    expect(await rolesOf(ben.id)).toEqual([]);
  });

  it("are worked on for those who come or go, not for all members", async () => {
    const [ada, ben] = [await acme.make("Users", newUser()), await acme.make("Users", newUser())];
    const group = await acme.make("Groups", { displayName: "Callers", members: [{ value: ada.id }] });
    // Nobody looks at this person again as long as they neither come nor go.
    await world.database.query("delete from memberships where user_id = $1", [ada.id]);
    const members = [{ value: ada.id }, { value: ben.id }];
    const both = await acme.patch(`/Groups/${group.id}`, { op: "add", path: "members", value: members });
    expect((both.members as unknown[]).length).toBe(2);
    expect([await rolesOf(ada.id), (await rolesOf(ben.id)).length]).toEqual([[], 1]);
    // The last of several operations on a person counts, and the others stay.
    const one = await acme.patch(
      `/Groups/${group.id}`,
      { op: "remove", path: "members", value: members },
      { op: "add", path: "members", value: [{ value: ben.id }] },
    );
    expect(one.members).toMatchObject([{ value: ben.id }]);
    const none = await acme.patch(`/Groups/${group.id}`, { op: "remove", path: "members" });
    expect([none.members, await rolesOf(ben.id)]).toEqual([[], []]);
    await acme.ask("DELETE", `/Groups/${group.id}`);
  });

  it("are read and changed as Microsoft Entra ID does", async () => {
    const [ada, ben] = [await acme.make("Users", newUser()), await acme.make("Users", newUser())];
    const group = await acme.make("Groups", {
      schemas: [GROUP, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
      externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
      displayName: "displayName",
      meta: { resourceType: "Group" },
    });
    const filter = encodeURIComponent('displayName eq "displayName"');
    const found = await acme.ask("GET", `/Groups?excludedAttributes=members&filter=${filter}`);
    expect(found.body.Resources).toMatchObject([{ id: group.id, externalId: group.externalId }]);
    const members = [
      { $ref: null, value: ada.id },
      { $ref: null, value: ben.id },
    ];
    await acme.patch(`/Groups/${group.id}`, { op: "Add", path: "members", value: members });
    const left = await acme.patch(`/Groups/${group.id}`, { op: "Remove", path: "members", value: members.slice(0, 1) });
    expect(left.members).toMatchObject([{ value: ben.id }]);
    const without = await acme.ask("GET", `/Groups/${group.id}?excludedAttributes=members`);
    expect(without.body.members).toBeUndefined();
    const renamed = { op: "Replace", path: "displayName", value: "1879db59-3bdf-4490-ad68-ab880a269474updated" };
    expect(await acme.patch(`/Groups/${group.id}`, renamed)).toMatchObject({ displayName: renamed.value });
  });

  it("leave a role alone that somebody gave by hand", async () => {
    const { id } = await acme.make("Users", newUser());
    const { workspaceId } = world.sample;
    await world.database.query("insert into memberships (workspace_id, user_id, role) values ($1, $2, 'VIEWER')", [
      workspaceId,
      id,
    ]);
    const group = await acme.make("Groups", { displayName: "Callers", members: [{ value: id }] });
    expect(await rolesOf(id)).toEqual([[workspaceId, "VIEWER"]]);
    await acme.ask("DELETE", `/Groups/${group.id}`);
    expect(await rolesOf(id)).toEqual([[workspaceId, "VIEWER"]]);
  });
});

describe("a deactivated person", () => {
  it("loses every session at once, and stays out where somebody shut them out by hand", async () => {
    const directory = await addDirectory("linking", ["example.com"], { linksByEmail: true });
    const member = await inviteMember(world, world.sample.workspaceId, "BUILDER");
    const { body } = await member.ask("GET", "/session");
    const { id, email } = body.user as { id: string; email: string };
    const made = await directory.make("Users", newUser({ userName: email }));
    expect(made.id).toBe(id);
    expect((await member.ask("GET", "/sessions")).status).toBe(200);
    await directory.patch(`/Users/${id}`, { op: "replace", value: { active: false } });
    expect((await member.ask("GET", "/sessions")).status).toBe(401);
    expect((await member.signIn(email)).status).toBe(401);
    await directory.patch(`/Users/${id}`, { op: "replace", value: { active: true } });
    expect((await member.signIn(email)).status).toBe(200);
    await world.operator("user.disable", { email });
    const shown = await directory.ask("GET", `/Users/${id}`);
    expect(shown.body.active).toBe(false);
    await directory.patch(`/Users/${id}`, { op: "replace", value: { active: false } });
    await directory.patch(`/Users/${id}`, { op: "replace", value: { active: true } });
    expect((await accountOf(id)).disabled).toBe(true);
  });

  it("can leave after their domain has left the directory, and comes back with an address of it only", async () => {
    const directory = await addDirectory("moved", ["example.com", "sold.example"]);
    const { id } = await directory.make("Users", newUser({ userName: "leaver@sold.example" }));
    await world.database.query("update identity_providers set domains = '{example.com}' where id = $1", [directory.id]);
    const off = await directory.patch(`/Users/${id}`, { op: "replace", value: { active: false } });
    expect([off.active, await accountOf(id)]).toMatchObject([false, { disabled: true, email: "leaver@sold.example" }]);
    const on = { schemas: [PATCH_OP], Operations: [{ op: "replace", path: "active", value: true }] };
    expect((await directory.ask("PATCH", `/Users/${id}`, on)).status).toBe(400);
    expect((await accountOf(id)).disabled).toBe(true);
  });

  it("is never an owner of the installation", async () => {
    const directory = await addDirectory("owners", ["example.com"], { linksByEmail: true });
    const reply = await directory.ask("POST", "/Users", newUser({ userName: "owner@example.com" }));
    expect([reply.status, reply.body.scimType]).toEqual([409, "uniqueness"]);
    expect((await owner.ask("GET", "/sessions")).status).toBe(200);
  });

  it("is in the audit log, with the directory that did it", async () => {
    const { id } = await acme.make("Users", newUser());
    await acme.patch(`/Users/${id}`, { op: "replace", value: { active: false } });
    const entries = await world.database.query(
      "select actor, action from audit_log where target = (select email from users where id = $1) order by id",
      [id],
    );
    const actor = "SCIM acme";
    expect(entries).toEqual([
      { actor, action: "user.provisioned" },
      { actor, action: "user.disabled" },
      { actor, action: "user.updated" },
    ]);
  });
});

describe("lists", () => {
  it("come in pages that leave nobody out", async () => {
    const directory = await addDirectory("paged", ["example.com"]);
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.push((await directory.make("Users", newUser())).id);
    const pages = [];
    for (const startIndex of [1, 3, 5]) {
      const { body } = await directory.ask("GET", `/Users?startIndex=${startIndex}&count=2`);
      expect(body).toMatchObject({ totalResults: 5, startIndex, itemsPerPage: body.Resources.length });
      pages.push(...body.Resources.map((one) => one.id));
    }
    expect(pages).toEqual(made);
    const count = await directory.ask("GET", "/Users?count=0");
    expect(count.body).toMatchObject({ totalResults: 5, itemsPerPage: 0, Resources: [] });
    expect((await directory.ask("GET", "/Users?startIndex=-3&count=1")).body).toMatchObject({ startIndex: 1 });
  });
});

describe("a SCIM request that is wrong", () => {
  it.each<[string, string, string, unknown, number, string | undefined]>([
    ["an unknown filter", "GET", '/Users?filter=title eq "x"', undefined, 400, "invalidFilter"],
    ["a filter of another form", "GET", "/Users?filter=userName sw x", undefined, 400, "invalidFilter"],
    ["a count that is no number", "GET", "/Users?count=many", undefined, 400, "invalidValue"],
    ["no JSON", "POST", "/Users", "{", 400, "invalidSyntax"],
    ["a list", "POST", "/Users", [], 400, "invalidSyntax"],
    ["no user name", "POST", "/Users", { active: true }, 400, "invalidValue"],
    ["no e-mail address", "POST", "/Users", { userName: "ada" }, 400, "invalidValue"],
    ["a name that is a list", "POST", "/Users", { userName: "a@example.com", name: [] }, 400, "invalidSyntax"],
    ["an active that is neither", "POST", "/Users", { userName: "b@example.com", active: "so" }, 400, "invalidValue"],
    ["a NUL", "POST", "/Users", { userName: "c\u0000@example.com" }, 400, "invalidSyntax"],
    ["a prototype", "POST", "/Users", '{"userName":"d@example.com","__proto__":{"x":1}}', 400, "invalidSyntax"],
    ["an id that is none", "GET", "/Users/1", undefined, 404, undefined],
    ["a group without a name", "POST", "/Groups", {}, 400, "invalidValue"],
    ["a member that is no id", "POST", "/Groups", { displayName: "G", members: [{ value: "x" }] }, 400, "invalidValue"],
  ])("is answered in SCIM's shape: %s", async (_, method, path, body, status, scimType) => {
    const reply = await acme.ask(method, path, body);
    expect(reply.body).toMatchObject({ schemas: [ERROR], status: String(status) });
    expect([reply.status, reply.body.scimType]).toEqual([status, scimType]);
  });

  it.each<[string, object, string]>([
    ["an operation that is none", { op: "move", path: "active" }, "invalidSyntax"],
    ["a removal without a path", { op: "remove" }, "noTarget"],
    ["no user name any more", { op: "remove", path: "userName" }, "invalidValue"],
    ["a path that cannot be read", { op: "replace", path: "emails[type", value: "x" }, "invalidPath"],
    [
      "a path through the prototype",
      { op: "replace", path: 'emails[__proto__ eq "x"].value', value: "x" },
      "invalidPath",
    ],
    [
      "an e-mail address of another company",
      { op: "replace", path: "emails", value: [{ value: "a@rival.com" }] },
      "invalidValue",
    ],
  ])("changes nothing: a PATCH with %s", async (_, operation, scimType) => {
    const before = await acme.make("Users", newUser());
    const body = { schemas: [PATCH_OP], Operations: [{ op: "replace", path: "displayName", value: "New" }, operation] };
    const reply = await acme.ask("PATCH", `/Users/${before.id}`, body);
    expect([reply.status, reply.body.scimType]).toEqual([400, scimType]);
    expect((await acme.ask("GET", `/Users/${before.id}`)).body).toEqual(before);
    expect(({} as { value?: unknown }).value).toBeUndefined();
  });
});

describe("the documents of SCIM", () => {
  it("say what there is, and no more", async () => {
    const config = await acme.ask("GET", "/ServiceProviderConfig");
    expect(config.body).toMatchObject({ patch: { supported: true }, bulk: { supported: false } });
    const types = await acme.ask("GET", "/ResourceTypes");
    expect(types.body.Resources.map((one) => one.endpoint)).toEqual(["/Users", "/Groups"]);
    const { body } = await acme.ask("GET", "/Schemas");
    for (const schema of body.Resources) expect((await acme.ask("GET", `/Schemas/${schema.id}`)).body).toEqual(schema);
    const attributes = (body.Resources[0]?.attributes ?? []) as { name: string }[];
    const described = new Set(attributes.map(({ name }) => name));
    const shown = await acme.make("Users", newUser({ externalId: "e" }));
    const own = Object.keys(shown).filter((name) => !["schemas", "id", "meta"].includes(name));
    expect(own.filter((name) => !described.has(name))).toEqual([]);
  });
});
