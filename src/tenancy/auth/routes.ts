import type { Executor } from "#src/platform/db/database.ts";
import { mediaType } from "#src/platform/http/body.ts";
import { Reply, type Route, route } from "#src/platform/http/route.ts";
import { anyObject, Type } from "#src/platform/http/schemas.ts";
import { PERMISSIONS } from "./permissions.ts";
import type { RefusedUse } from "./refused-uses.ts";
import { grantToken, RESOURCES } from "./token.ts";

/** The token endpoint and the discovery documents. */
export function authRoutes(db: Executor, publicUrl: string, onRefused: (use: RefusedUse) => void): Route[] {
  return [
    tokenRoute(db, publicUrl, onRefused),
    authorizeRoute(),
    serverMetadataRoute(publicUrl),
    ...resourceRoutes(publicUrl),
  ];
}

const OAuthError = Type.Object(
  {
    error: Type.String({ description: "Code of RFC 6749 section 5.2." }),
    error_description: Type.Optional(Type.String()),
  },
  { $id: "OAuthError" },
);

function tokenRoute(db: Executor, publicUrl: string, onRefused: (use: RefusedUse) => void): Route {
  return route({
    method: "POST",
    path: "/api/oauth/token",
    audience: "public",
    access: "PUBLIC",
    tag: "Authentication",
    summary: "Get an access token",
    description: "Client credentials as form fields or HTTP Basic. Errors follow RFC 6749 section 5.2.",
    bodyKind: "FORM",
    body: Type.Object({
      grant_type: Type.String(),
      client_id: Type.Optional(Type.String()),
      client_secret: Type.Optional(Type.String()),
      scope: Type.Optional(
        Type.String({ description: "Permissions of the client; the token has all that the client has." }),
      ),
      resource: Type.Optional(Type.String({ description: "This server, its API or its MCP server (RFC 8707)." })),
    }),
    replies: {
      200: Type.Object({
        access_token: Type.String(),
        token_type: Type.String(),
        expires_in: Type.Integer(),
        scope: Type.Optional(
          Type.String({ description: "What the client may do now; only where a scope was asked for." }),
        ),
      }),
      400: OAuthError,
      401: OAuthError,
    },
    run: (request) =>
      grantToken(
        db,
        publicUrl,
        {
          contentType: mediaType(request.headers["content-type"]),
          authorization: request.headers.authorization,
          form: request.bodyText,
          address: request.address,
        },
        onRefused,
      ),
  });
}

/** Published because both MCP SDKs refuse metadata without it; it always refuses. */
function authorizeRoute(): Route {
  return route({
    method: "GET",
    path: "/api/oauth/authorize",
    audience: "public",
    access: "PUBLIC",
    tag: "Authentication",
    summary: "Always refuses: there is no authorization-code flow",
    description: "It exists because clients refuse metadata without it. Credentials are made in the dashboard.",
    replies: { 400: OAuthError },
    run: async () =>
      new Reply(400, {
        error: "unsupported_response_type",
        error_description: "Use the client_credentials grant at the token endpoint.",
      }),
  });
}

/** Discovery is open to every origin, for MCP clients that run in a browser. */
const anyOrigin = async () => true;

function serverMetadataRoute(publicUrl: string): Route {
  return route({
    method: "GET",
    path: "/.well-known/oauth-authorization-server",
    cors: anyOrigin,
    audience: "public",
    access: "PUBLIC",
    tag: "Authentication",
    summary: "Authorization server metadata (RFC 8414)",
    description: "Where clients find the token endpoint and the permissions. Open to every origin.",
    replies: { 200: anyObject("RFC 8414 section 2.") },
    run: async () => ({
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/api/oauth/authorize`,
      token_endpoint: `${publicUrl}/api/oauth/token`,
      grant_types_supported: ["client_credentials"],
      // Empty, though RFC 8414, 3.2 leaves empty lists out: section 2 requires this one, and MCP clients refuse a
      // document without it. Any name in it would promise what the authorization endpoint refuses.
      response_types_supported: [],
      scopes_supported: PERMISSIONS,
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    }),
  });
}

function resourceRoutes(publicUrl: string): Route[] {
  return RESOURCES.map((suffix) =>
    route({
      method: "GET",
      path: `/.well-known/oauth-protected-resource${suffix}`,
      cors: anyOrigin,
      audience: "public",
      access: "PUBLIC",
      tag: "Authentication",
      summary: `Protected resource metadata${suffix ? ` of ${suffix}` : ""} (RFC 9728)`,
      description: "Where clients find the authorization server of a resource. Open to every origin.",
      replies: { 200: anyObject("RFC 9728 section 2.") },
      run: async () => ({
        resource: publicUrl + suffix,
        authorization_servers: [publicUrl],
        bearer_methods_supported: ["header"],
        scopes_supported: PERMISSIONS,
        resource_name: "Parley",
      }),
    }),
  );
}
