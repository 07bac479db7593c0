import type { Executor } from "#src/db/database.ts";
import { mediaType } from "#src/http/body.ts";
import { Reply, type Route, route } from "#src/http/route.ts";
import { anyObject, Type } from "#src/http/schemas.ts";
import { grantToken } from "./token.ts";

/** The token endpoint and the discovery documents (spec, "Token endpoint", "Discovery and registration"). */
export function authRoutes(db: Executor, publicUrl: string): Route[] {
  return [tokenRoute(db), authorizeRoute(), serverMetadataRoute(publicUrl), ...resourceRoutes(publicUrl)];
}

const OAuthError = Type.Object(
  {
    error: Type.String({ description: "Code of RFC 6749 section 5.2." }),
    error_description: Type.Optional(Type.String()),
  },
  { $id: "OAuthError" },
);

function tokenRoute(db: Executor): Route {
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
    }),
    replies: {
      200: Type.Object({ access_token: Type.String(), token_type: Type.String(), expires_in: Type.Integer() }),
      400: OAuthError,
      401: OAuthError,
    },
    run: (request) =>
      grantToken(db, mediaType(request.headers["content-type"]), request.headers.authorization, request.bodyText),
  });
}

/** Published because both MCP SDKs refuse metadata without it; it always refuses (research, http 2.1). */
function authorizeRoute(): Route {
  return route({
    method: "GET",
    path: "/api/oauth/authorize",
    audience: "public",
    access: "PUBLIC",
    tag: "Authentication",
    summary: "Always refuses: there is no authorization-code flow",
    replies: { 400: OAuthError },
    run: async () =>
      new Reply(400, {
        error: "unsupported_response_type",
        error_description: "Use the client_credentials grant at the token endpoint.",
      }),
  });
}

function serverMetadataRoute(publicUrl: string): Route {
  return route({
    method: "GET",
    path: "/.well-known/oauth-authorization-server",
    audience: "public",
    access: "PUBLIC",
    tag: "Authentication",
    summary: "Authorization server metadata (RFC 8414)",
    replies: { 200: anyObject("RFC 8414 section 2.") },
    run: async () => ({
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/api/oauth/authorize`,
      token_endpoint: `${publicUrl}/api/oauth/token`,
      grant_types_supported: ["client_credentials"],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    }),
  });
}

function resourceRoutes(publicUrl: string): Route[] {
  return ["", "/api/mcp", "/api/external/v1"].map((suffix) =>
    route({
      method: "GET",
      path: `/.well-known/oauth-protected-resource${suffix}`,
      audience: "public",
      access: "PUBLIC",
      tag: "Authentication",
      summary: `Protected resource metadata${suffix ? ` of ${suffix}` : ""} (RFC 9728)`,
      replies: { 200: anyObject("RFC 9728 section 2.") },
      run: async () => ({
        resource: publicUrl + suffix,
        authorization_servers: [publicUrl],
        bearer_methods_supported: ["header"],
        resource_name: "Parley",
      }),
    }),
  );
}
