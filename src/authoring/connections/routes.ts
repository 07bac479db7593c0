import type { Database } from "#src/platform/db/database.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { nullable, oneOf, Type, Uuid } from "#src/platform/http/schemas.ts";
import { actorBehind } from "#src/tenancy/audit/actor.ts";
import { Connection, ConnectionChange, ConnectionInput } from "./connection-fields.ts";
import { changeConnection, createConnection, getConnection, getConnections, removeConnection } from "./connections.ts";
import { KNOWN_PROVIDERS, METHODS, PROVIDERS } from "./providers.ts";
import { redirectUriOf, type SignInParts } from "./sign-in.ts";

const PATH = "/api/external/v1/connections";
const READ = ["TOOLS_READ"];
const WRITE = ["TOOLS_WRITE"];
const common = { audience: "external", tag: "Connections" } as const;
const params = Type.Object({ connectionId: Uuid });

const Provider = Type.Object(
  {
    provider: oneOf(PROVIDERS),
    title: Type.String(),
    methods: Type.Array(oneOf(METHODS)),
    scopes: Type.Array(Type.String(), { description: "Asked for when a connection names none." }),
    redirectUri: Type.String({ description: "To be registered for your OAuth app at the provider." }),
  },
  { $id: "ConnectionProvider" },
);

const Removal = Type.Object(
  {
    revoked: nullable(
      Type.Boolean({
        description:
          "True: the provider revoked the tokens. False: it did not; revoke them there. Null: it has no way to, or there were none.",
      }),
    ),
  },
  { $id: "ConnectionRemoval" },
);

/** Routes of a workspace's connections; all extensions. People sign in by the dashboard. */
export function connectionRoutes(database: Database, parts: SignInParts): Route[] {
  return [...collectionRoutes(database, parts), ...oneConnectionRoutes(database, parts)];
}

function collectionRoutes({ db }: Database, parts: SignInParts): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: "/api/external/v1/connection-providers",
      access: READ,
      summary: "List the providers that connections may name (extension)",
      replies: { 200: Type.Array(Provider) },
      run: async () => listProviders(redirectUriOf(parts.publicUrl)),
    }),
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List connections (extension)",
      replies: { 200: Type.Array(Connection) },
      run: ({ caller }) => getConnections(db, caller.workspaceId),
    }),
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Make a connection (extension)",
      description:
        "Required: clientId for OAUTH, apiKey for API_KEY. A person then signs in to an OAUTH one in the dashboard.",
      idempotent: true,
      body: ConnectionInput,
      replies: { 201: Connection },
      run: ({ tx, caller, address, body }) =>
        createConnection(tx, parts, caller.workspaceId, body, actorBehind(caller, address).name),
    }),
  ];
}

function listProviders(redirectUri: string) {
  return PROVIDERS.map((provider) => {
    const known = provider === "CUSTOM" ? null : KNOWN_PROVIDERS[provider];
    const { title = "Another provider", methods = METHODS, scopes = [] } = known ?? {};
    return { provider, title, methods: [...methods], scopes: [...scopes], redirectUri };
  });
}

function oneConnectionRoutes(database: Database, parts: SignInParts): Route[] {
  const { db } = database;
  const one = { ...common, path: `${PATH}/{connectionId}`, params };
  return [
    route({
      ...one,
      method: "GET",
      access: READ,
      summary: "Read a connection (extension)",
      replies: { 200: Connection },
      run: ({ caller, params: { connectionId } }) => getConnection(db, caller.workspaceId, connectionId),
    }),
    route({
      ...one,
      method: "PUT",
      access: WRITE,
      summary: "Change a connection; sent fields are merged (extension)",
      description: "A change of an address, or of clientId, ends the sign-in and needs the secret again.",
      query: Type.Object(ifUpdatedAtQuery),
      body: ConnectionChange,
      replies: { 200: Connection },
      run: ({ caller, address, params: { connectionId: id }, query: { ifUpdatedAt }, body }) => {
        const { workspaceId } = caller;
        const by = actorBehind(caller, address).name;
        const change = { workspaceId, id, ifUpdatedAt };
        return db.transaction().execute((tx) => changeConnection(tx, parts, change, body, by));
      },
    }),
    route({
      ...one,
      method: "DELETE",
      access: WRITE,
      summary: "Delete a connection and revoke its tokens (extension)",
      description: "Tools that name it fail from then on with CONNECTION_MISSING.",
      replies: { 200: Removal },
      run: async ({ caller, params: { connectionId } }) => ({
        revoked: await removeConnection(database, parts, caller.workspaceId, connectionId),
      }),
    }),
  ];
}
