import type { Executor } from "#src/platform/db/database.ts";
import { INSTALLATION_OWNER } from "#src/platform/http/console-access.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { actorOf } from "#src/tenancy/audit/actor.ts";
import {
  changeProvider,
  createProvider,
  getProviders,
  IdentityProvider,
  IdentityProviderChange,
  IdentityProviderInput,
  type ProviderParts,
  removeProvider,
} from "./identity-providers.ts";
import type { OidcClient } from "./oidc.ts";
import { probeProvider, ProviderProbe } from "./probe.ts";
import { createScimToken, getScimTokens, revokeScimToken, ScimToken } from "./scim-tokens.ts";

const PATH = "/api/console/identity-providers";
const common = { audience: "console", access: [INSTALLATION_OWNER], tag: "Sign-on" } as const;
const params = Type.Object({ providerId: Uuid });

/** Returns the routes of identity providers and their SCIM tokens, for owners of the installation. */
export function identityProviderRoutes(db: Executor, parts: ProviderParts, oidc: OidcClient): Route[] {
  return [...settingsRoutes(db, parts), probeRoute(db, oidc), ...tokenRoutes(db)];
}

function settingsRoutes(db: Executor, parts: ProviderParts): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      summary: "List the identity providers",
      replies: { 200: Type.Array(IdentityProvider) },
      run: () => getProviders(db, parts.publicUrl),
    }),
    route({
      ...common,
      method: "POST",
      path: PATH,
      summary: "Add an identity provider; nothing is sent to it",
      body: IdentityProviderInput,
      replies: { 201: IdentityProvider },
      run: (request) => db.transaction().execute((tx) => createProvider(tx, parts, request.body, actorOf(request))),
    }),
    route({
      ...common,
      method: "PATCH",
      path: `${PATH}/{providerId}`,
      summary: "Change settings of an identity provider; its groups' roles apply at once",
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: IdentityProviderChange,
      replies: { 200: IdentityProvider },
      run: (request) => {
        const { params: path, query, body } = request;
        return db
          .transaction()
          .execute((tx) => changeProvider(tx, parts, path.providerId, { ...body, ...query }, actorOf(request)));
      },
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{providerId}`,
      summary: "Delete an identity provider; its sessions end, and the roles of its groups",
      params,
      replies: { 204: null },
      run: (request) =>
        db.transaction().execute((tx) => removeProvider(tx, request.params.providerId, actorOf(request))),
    }),
  ];
}

function probeRoute(db: Executor, oidc: OidcClient): Route {
  return route({
    ...common,
    method: "POST",
    path: `${PATH}/{providerId}/test`,
    summary: "Test the connection to an identity provider; nobody is signed in",
    params,
    replies: { 200: ProviderProbe },
    run: (request) => probeProvider(db, oidc, request.params.providerId),
  });
}

/** Not idempotent: a reply stored for a repeat would keep the token, of which only a digest is stored. */
function tokenRoutes(db: Executor): Route[] {
  const path = `${PATH}/{providerId}/scim-tokens`;
  return [
    route({
      ...common,
      method: "GET",
      path,
      summary: "List the SCIM tokens of an identity provider",
      params,
      replies: { 200: Type.Array(ScimToken) },
      run: (request) => getScimTokens(db, request.params.providerId),
    }),
    route({
      ...common,
      method: "POST",
      path,
      summary: "Make a SCIM token; it is shown this once",
      params,
      replies: { 201: Type.Object({ ...ScimToken.properties, token: Type.String() }, { $id: "NewScimToken" }) },
      run: (request) =>
        db.transaction().execute((tx) => createScimToken(tx, request.params.providerId, actorOf(request))),
    }),
    route({
      ...common,
      method: "DELETE",
      path: "/api/console/scim-tokens/{tokenId}",
      summary: "Revoke a SCIM token; its next request is refused",
      params: Type.Object({ tokenId: Uuid }),
      replies: { 204: null },
      run: (request) => db.transaction().execute((tx) => revokeScimToken(tx, request.params.tokenId, actorOf(request))),
    }),
  ];
}
