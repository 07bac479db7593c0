import { nullable, oneOf, type Static, Timestamp, type TSchema, Type, Uuid } from "#src/platform/http/schemas.ts";
import { MASK } from "#src/platform/kernel/mask.ts";
import { METHODS, PROVIDERS } from "./providers.ts";
import { STATES } from "./store.ts";

const may = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));
const Address = (description: string) => Type.String({ minLength: 1, maxLength: 2_048, description });
const Scope = Type.String({ pattern: "^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,300}$", description: "RFC 6749, 3.3." });

/** Addresses and header of a CUSTOM provider. */
const CustomProvider = Type.Object(
  {
    authorizationUrl: may(Address("Where a person signs in; OAUTH needs it.")),
    tokenUrl: may(Address("Where codes and refresh tokens are exchanged; OAUTH needs it.")),
    revocationUrl: may(Address("Where tokens are revoked (RFC 7009).")),
    apiOrigins: Type.Array(Address("Such as https://api.example.com."), {
      minItems: 1,
      maxItems: 20,
      description: "The only servers that get the token or key.",
    }),
    clientAuthentication: may(oneOf(["POST", "BASIC"], "How the app's secret is sent to tokenUrl. Default POST.")),
    keyHeader: may(
      Type.String({
        // Names that every place recognises that masks credentials. The parts are of limited length, because a pattern
        // is also tried on what is too long, and would be at each hyphen.
        pattern: "^([A-Za-z0-9-]{0,99}-)?([Aa]uthorization|[Kk]ey|KEY|[Tt]oken|TOKEN|[Ss]ecret)(-[A-Za-z0-9-]{0,99})?$",
        maxLength: 100,
        description: "Header of an API_KEY, with key, token or secret in its name. Default Authorization.",
      }),
    ),
    keyPrefix: may(
      Type.String({
        pattern: "^[A-Za-z]{0,30} ?$",
        description: 'Before the key. Default "Bearer " in Authorization, nothing elsewhere.',
      }),
    ),
  },
  { $id: "CustomProvider" },
);

/** Body of a connection's creation or change; on a change, absent fields stay. */
export const ConnectionInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    provider: oneOf(PROVIDERS, "Cannot be changed later."),
    method: Type.Optional(
      oneOf(
        METHODS,
        "OAUTH: a person signs in. API_KEY: a key of the provider. Default OAUTH; cannot be changed later.",
      ),
    ),
    clientId: may(Type.String({ minLength: 1, maxLength: 500, description: "Of your OAuth app at the provider." })),
    clientSecret: may(Type.String({ minLength: 1, maxLength: 2_048, description: "Sealed at rest." })),
    scopes: Type.Optional(
      Type.Array(Scope, { maxItems: 100, description: "Asked for at the sign-in. Empty: what the tool packs need." }),
    ),
    apiKey: may(Type.String({ minLength: 1, maxLength: 4_096, description: "Of an API_KEY. Sealed at rest." })),
    baseUrl: may(
      Address(
        "Origin of a server of your own, or of a region, instead of the provider's, such as https://example.my.salesforce.com.",
      ),
    ),
    custom: may(CustomProvider),
  },
  { $id: "ConnectionInput" },
);
export type ConnectionInput = Static<typeof ConnectionInput>;

/** Request body of a connection's change: the fields that change. */
export const ConnectionChange = Type.Partial(ConnectionInput, { $id: "ConnectionChange" });
export type ConnectionChange = Static<typeof ConnectionChange>;

/** A connection as it is read: no secret is in it. */
export const Connection = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    provider: oneOf(PROVIDERS),
    method: oneOf(METHODS),
    state: oneOf(STATES, "NEEDS_SIGN_IN: the provider accepts neither token nor refresh; tools that use it fail."),
    clientId: nullable(Type.String()),
    clientSecret: nullable(Type.String({ description: `${MASK} when one is stored.` })),
    scopes: Type.Array(Type.String()),
    grantedScopes: nullable(Type.Array(Type.String(), { description: "Null: the provider did not say." })),
    apiKey: nullable(Type.String({ description: `${MASK} when one is stored.` })),
    baseUrl: nullable(Type.String({ description: "Null: the provider's own servers." })),
    custom: nullable(CustomProvider),
    apiOrigins: Type.Array(Type.String(), { description: "The only servers that get its token." }),
    connectedBy: nullable(Type.String({ description: "Who signed in." })),
    connectedAt: nullable(Timestamp),
    refreshedAt: nullable(Timestamp),
    expiresAt: nullable(Timestamp),
    failure: nullable(Type.String({ description: "Why it needs a new sign-in." })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "Connection" },
);
export type Connection = Static<typeof Connection>;
