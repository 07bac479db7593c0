import type { Executor } from "#src/platform/db/database.ts";
import { WORKSPACE_ADMIN, WORKSPACE_PATH, WORKSPACE_READ } from "#src/platform/http/console-access.ts";
import { assertBefore, ifUnchangedBody } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { nullable, oneOf, Timestamp, TimestampInput, Type, Uuid } from "#src/platform/http/schemas.ts";
import {
  changePermissions,
  createClient,
  createKey,
  type CredentialInfo,
  getCredential,
  holdCredential,
  listAll,
  MAX_TOKEN_SECONDS,
  readBuckets,
  revoke,
} from "./credentials.ts";
import { changeLimits } from "./limits.ts";
import { MAX_OVERLAP_SECONDS, rotateCredential } from "./rotation.ts";

const PATH = `${WORKSPACE_PATH}/credentials`;
const common = { audience: "console", access: [WORKSPACE_ADMIN], tag: "Credentials" } as const;
const params = Type.Object({ workspaceId: Uuid, credentialId: Uuid });
const workspaceParams = Type.Object({ workspaceId: Uuid });
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" });
const Permissions = Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 });
const DAY_SECONDS = 86_400;
const TEN_YEARS_SECONDS = 315_360_000;
const Expiry = Type.Optional(nullable(TimestampInput));
const Networks = Type.Optional(
  nullable(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 100,
      description: "Networks such as 203.0.113.0/24 or 2001:db8::/32; a lone address stands for itself. Null: all.",
    }),
  ),
);
const limitFields = { expiresAt: Expiry, allowedAddresses: Networks };

/** A key or client, never its secret. */
const Credential = Type.Object(
  {
    id: Uuid,
    kind: oneOf(["API_KEY", "OAUTH_CLIENT"]),
    name: Type.String(),
    clientId: nullable(Type.String()),
    secretLast4: Type.String(),
    permissions: Type.Array(Type.String()),
    tokenLifetimeSeconds: nullable(Type.Integer()),
    expiresAt: nullable(Timestamp),
    allowedAddresses: nullable(
      Type.Array(Type.String(), { description: "Networks from which it is accepted; null: all." }),
    ),
    lastUsedAt: nullable(Timestamp),
    lastUsedAddress: nullable(Type.String()),
    revokedAt: nullable(Timestamp),
    createdAt: Timestamp,
  },
  { $id: "Credential" },
);

/** Routes of a workspace's keys and clients, for its owners: only people make them, never a key or a model. */
export function credentialRoutes(db: Executor): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      summary: "List keys and clients, newest first",
      params: workspaceParams,
      replies: { 200: Type.Array(Credential) },
      run: async ({ caller }) => (await listAll(db, caller.workspaceId)).map(show),
    }),
    rateLimitsRoute(db),
    ...mintingRoutes(db),
    rotateRoute(db),
    ...changingRoutes(db),
  ];
}

function rateLimitsRoute(db: Executor): Route {
  return route({
    ...common,
    access: [WORKSPACE_READ],
    method: "GET",
    path: `${WORKSPACE_PATH}/rate-limits`,
    summary: "How full the token bucket of each key and client is",
    params: workspaceParams,
    replies: {
      200: Type.Array(
        Type.Object(
          {
            credentialId: Uuid,
            name: Type.String(),
            kind: oneOf(["API_KEY", "OAUTH_CLIENT"]),
            limit: Type.Integer(),
            remaining: Type.Integer(),
            resetSeconds: Type.Integer(),
          },
          { $id: "RateLimitGauge" },
        ),
      ),
    },
    run: ({ caller }) => readBuckets(db, caller.workspaceId),
  });
}

/** Not idempotent: a reply stored for a repeat would keep the secret, of which only a digest is stored. */
function mintingRoutes(db: Executor): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: `${PATH}/keys`,
      summary: "Make an API key; it is shown this once",
      params: workspaceParams,
      body: Type.Object({
        name: Name,
        permissions: Type.Optional(nullable(Permissions)),
        expiresInSeconds: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: TEN_YEARS_SECONDS }))),
        ...limitFields,
      }),
      replies: { 201: Type.Object({ credential: Credential, apiKey: Type.String() }) },
      run: ({ caller: { workspaceId }, body: { permissions, ...rest } }) =>
        db.transaction().execute(async (tx) => {
          const made = await createKey(tx, workspaceId, { ...rest, ...(permissions ? { permissions } : {}) });
          return { credential: show(await getCredential(tx, workspaceId, made.keyId)), apiKey: made.apiKey };
        }),
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/clients`,
      summary: "Make an OAuth client; its secret is shown this once",
      params: workspaceParams,
      body: Type.Object({
        name: Name,
        permissions: Permissions,
        tokenLifetimeSeconds: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: MAX_TOKEN_SECONDS }))),
        ...limitFields,
      }),
      replies: {
        201: Type.Object({ credential: Credential, clientId: Type.String(), clientSecret: Type.String() }),
      },
      run: ({ caller: { workspaceId }, body: { tokenLifetimeSeconds, ...rest } }) =>
        db.transaction().execute(async (tx) => {
          const lifetime = tokenLifetimeSeconds ? { tokenLifetimeSeconds } : {};
          const made = await createClient(tx, workspaceId, { ...rest, ...lifetime });
          const credential = show(await getCredential(tx, workspaceId, made.credentialId));
          return { credential, clientId: made.clientId, clientSecret: made.clientSecret };
        }),
    }),
  ];
}

/** Not idempotent, like the other routes that mint. */
function rotateRoute(db: Executor): Route {
  return route({
    ...common,
    method: "POST",
    path: `${PATH}/{credentialId}/rotate`,
    summary: "Make a key or client in the place of another, which goes on for a while; the secret is shown this once",
    params,
    body: Type.Object({
      overlapSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_OVERLAP_SECONDS,
          description: "For how long the former one is still accepted. Default: a day.",
        }),
      ),
    }),
    replies: {
      201: Type.Object({
        credential: Credential,
        former: Credential,
        apiKey: Type.Optional(Type.String()),
        clientId: Type.Optional(Type.String()),
        clientSecret: Type.Optional(Type.String()),
      }),
    },
    run: ({ caller: { workspaceId }, params: { credentialId }, body: { overlapSeconds = DAY_SECONDS } }) =>
      db.transaction().execute(async (tx) => {
        const { credential, former, ...secret } = await rotateCredential(
          tx,
          workspaceId,
          credentialId.toLowerCase(),
          overlapSeconds,
        );
        return { credential: show(credential), former: show(former), ...secret };
      }),
  });
}

function changingRoutes(db: Executor): Route[] {
  return [
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/{credentialId}/permissions`,
      summary: "Replace what a key or client may do, from its next request on",
      params,
      body: Type.Object({ permissions: Permissions, ...ifUnchangedBody }),
      replies: { 200: Credential },
      run: ({ caller: { workspaceId }, params: { credentialId }, body }) =>
        db.transaction().execute(async (tx) => {
          const { id, permissions } = await holdCredential(tx, workspaceId, credentialId);
          assertBefore({ permissions }, body.before);
          await changePermissions(tx, id, body.permissions);
          return show(await getCredential(tx, workspaceId, id));
        }),
    }),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/{credentialId}/limits`,
      summary: "Replace when a key or client expires and from where it is accepted, from its next request on",
      params,
      body: Type.Object({ expiresAt: nullable(TimestampInput), allowedAddresses: Networks, ...ifUnchangedBody }),
      replies: { 200: Credential },
      run: ({ caller: { workspaceId }, params: { credentialId }, body }) =>
        db.transaction().execute(async (tx) => {
          const held = await holdCredential(tx, workspaceId, credentialId);
          assertBefore({ expiresAt: held.expiresAt, allowedAddresses: held.allowedAddresses }, body.before);
          await changeLimits(tx, held, body);
          return show(await getCredential(tx, workspaceId, held.id));
        }),
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{credentialId}`,
      summary: "Revoke a key or client; its next request is refused",
      params,
      replies: { 204: null },
      run: ({ caller: { workspaceId }, params: { credentialId } }) =>
        db.transaction().execute(async (tx) => {
          const { id } = await getCredential(tx, workspaceId, credentialId);
          await revoke(tx, id);
        }),
    }),
  ];
}

function show({ workspaceId: _, ...info }: CredentialInfo): Omit<CredentialInfo, "workspaceId"> {
  return info;
}
