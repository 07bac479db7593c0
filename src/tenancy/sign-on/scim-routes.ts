import type { Executor } from "#src/platform/db/database.ts";
import type { Route } from "#src/platform/http/route.ts";
import { countIdentities, type IdentityRow, listIdentities } from "./identity-store.ts";
import { resourceTypes, schemas, serviceProviderConfig } from "./scim-documents.ts";
import { noResource } from "./scim-fault.ts";
import { countGroups, type GroupRow, listGroupMembers, listGroups } from "./scim-group-store.ts";
import {
  changeGroup,
  deprovisionGroup,
  patchGroup,
  provisionGroup,
  readGroup,
  requireGroup,
  showGroup,
} from "./scim-groups.ts";
import { readFilter, readPage, showPage } from "./scim-pages.ts";
import { type ScimAnswer, type ScimParts, type ScimRequest, scimRoute, type ScimSpec } from "./scim-server.ts";
import { patchUser, readUser, showUser, toUser } from "./scim-user.ts";
import { changeUser, deprovisionUser, provisionUser, requireUser } from "./scim-users.ts";
import { readPatch } from "./scim-values.ts";

/**
 * Returns the routes of SCIM 2.0 (RFC 7644). A token is of one identity provider, and sees its people and groups only.
 */
export function scimRoutes(db: Executor, publicUrl: string): Route[] {
  const parts: ScimParts = { db, publicUrl };
  return [...USERS, ...GROUPS, ...documents()].map((spec) => scimRoute(parts, spec));
}

const USERS: ScimSpec[] = [
  { method: "GET", path: "/Users", summary: "List people", handle: listUsers },
  {
    method: "POST",
    path: "/Users",
    summary: "Provision a person",
    async handle({ tx, body, base, provision }) {
      const row = await provisionUser(tx, await provision(), readUser(body));
      return { status: 201, body: showUser(row, base) };
    },
  },
  {
    method: "GET",
    path: "/Users/{id}",
    summary: "Read a person",
    handle: async ({ tx, providerId, id, base }) => ok(showUser(await requireUser(tx, providerId, id), base)),
  },
  {
    method: "PUT",
    path: "/Users/{id}",
    summary: "Replace a person",
    handle: (request) => changeOne(request, (row) => readUser(request.body, row.is_active)),
  },
  {
    method: "PATCH",
    path: "/Users/{id}",
    summary: "Change a person",
    handle: (request) => changeOne(request, (row) => patchUser(toUser(row), readPatch(request.body))),
  },
  {
    method: "DELETE",
    path: "/Users/{id}",
    summary: "Take a person away; the account is disabled and stays",
    async handle({ tx, providerId, id, provision }) {
      const by = await provision();
      await deprovisionUser(tx, by, await requireUser(tx, providerId, id));
      return { status: 204, body: null };
    },
  },
];

const GROUPS: ScimSpec[] = [
  { method: "GET", path: "/Groups", summary: "List groups", handle: listAllGroups },
  {
    method: "POST",
    path: "/Groups",
    summary: "Provision a group",
    async handle(request) {
      const row = await provisionGroup(request.tx, await request.provision(), readGroup(request.body));
      return { status: 201, body: await showOne(request, row) };
    },
  },
  {
    method: "GET",
    path: "/Groups/{id}",
    summary: "Read a group",
    async handle(request) {
      const row = await requireGroup(request.tx, request.providerId, request.id);
      return ok(await showOne(request, row));
    },
  },
  {
    method: "PUT",
    path: "/Groups/{id}",
    summary: "Replace a group",
    handle: (request) => changeOneGroup(request, () => readGroup(request.body)),
  },
  {
    method: "PATCH",
    path: "/Groups/{id}",
    summary: "Change a group",
    handle: (request) => changeOneGroup(request, (row) => patchGroup(row, readPatch(request.body))),
  },
  {
    method: "DELETE",
    path: "/Groups/{id}",
    summary: "Delete a group, and the roles that it alone gave",
    async handle({ tx, providerId, id, provision }) {
      const by = await provision();
      await deprovisionGroup(tx, by, await requireGroup(tx, providerId, id));
      return { status: 204, body: null };
    },
  },
];

function documents(): ScimSpec[] {
  const lists = [
    ["/Schemas", schemas, "What people and groups have"],
    ["/ResourceTypes", resourceTypes, "What there is"],
  ] as const;
  return [
    {
      method: "GET",
      path: "/ServiceProviderConfig",
      summary: "What this service can do",
      handle: async ({ base }) => ok(serviceProviderConfig(base)),
    },
    ...lists.flatMap(([path, list, summary]): ScimSpec[] => [
      {
        method: "GET",
        path,
        summary,
        handle: async ({ base }) => ok(showPage(list(base).length, list(base))),
      },
      {
        method: "GET",
        path: `${path}/{id}`,
        summary,
        async handle({ base, id }) {
          const found = list(base).find((one) => one.id === id);
          if (!found) throw noResource(id);
          return ok(found);
        },
      },
    ]),
  ];
}

async function listUsers({ tx, providerId, query, base }: ScimRequest): Promise<ScimAnswer> {
  const filter = readFilter(query, ["userName", "externalId", "id"]);
  const page = readPage(query);
  const total = await countIdentities(tx, providerId, filter);
  const rows = page.limit === 0 ? [] : await listIdentities(tx, providerId, filter, page);
  const shown = rows.map((row) => showUser(row, base));
  return ok(showPage(total, shown, page.startIndex));
}

async function changeOne(
  { tx, providerId, id, base, provision }: ScimRequest,
  change: (row: IdentityRow) => ReturnType<typeof readUser>,
): Promise<ScimAnswer> {
  const by = await provision();
  const row = await requireUser(tx, providerId, id);
  return ok(showUser(await changeUser(tx, by, row, change(row)), base));
}

async function listAllGroups({ tx, providerId, query, base }: ScimRequest): Promise<ScimAnswer> {
  const filter = readFilter(query, ["displayName", "externalId", "id"]);
  const page = readPage(query);
  const total = await countGroups(tx, providerId, filter);
  const rows = page.limit === 0 ? [] : await listGroups(tx, providerId, filter, page);
  const ids = rows.map((row) => row.id);
  const members = leavesMembersOut(query) ? null : await listGroupMembers(tx, providerId, ids);
  const shown = rows.map((row) => {
    const own = members?.filter((member) => member.group_id === row.id) ?? null;
    return showGroup(row, own, base);
  });
  return ok(showPage(total, shown, page.startIndex));
}

async function changeOneGroup(
  request: ScimRequest,
  change: (row: GroupRow) => ReturnType<typeof readGroup>,
): Promise<ScimAnswer> {
  const { tx, providerId, id, provision } = request;
  const by = await provision();
  const row = await requireGroup(tx, providerId, id);
  const changed = await changeGroup(tx, by, row, change(row));
  return ok(await showOne(request, changed));
}

async function showOne({ tx, providerId, query, base }: ScimRequest, row: GroupRow): Promise<Record<string, unknown>> {
  const members = leavesMembersOut(query) ? null : await listGroupMembers(tx, providerId, [row.id]);
  return showGroup(row, members, base);
}

/** Microsoft Entra ID leaves the members of large groups out. */
function leavesMembersOut(query: URLSearchParams): boolean {
  return /(^|,)\s*members\s*(,|$)/i.test(query.get("excludedAttributes") ?? "");
}

function ok(body: Record<string, unknown>): ScimAnswer {
  return { status: 200, body };
}
