import { GROUP_SCHEMA } from "./scim-groups.ts";
import { MAX_RESULTS } from "./scim-pages.ts";
import { USER_SCHEMA } from "./scim-user.ts";

const CORE = "urn:ietf:params:scim:schemas:core:2.0";

/** Returns what this service can do (RFC 7643, 5). */
export function serviceProviderConfig(base: string): Record<string, unknown> {
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "Bearer token",
        description: "A SCIM token of an identity provider.",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
  };
}

/** Returns the kinds of resources (RFC 7643, 6). */
export function resourceTypes(base: string): Record<string, unknown>[] {
  const kinds = [
    ["User", "/Users", USER_SCHEMA, "People of the directory"],
    ["Group", "/Groups", GROUP_SCHEMA, "Groups, which may give roles"],
  ] as const;
  return kinds.map(([name, endpoint, schema, description]) => ({
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint,
    description,
    schema,
    meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${name}` },
  }));
}

/** Returns the attributes of people and groups that are kept (RFC 7643, 7). */
export function schemas(base: string): Record<string, unknown>[] {
  const schema = (id: string, name: string, attributes: object[]) => ({
    schemas: [`${CORE}:Schema`],
    id,
    name,
    description: name,
    attributes,
    meta: { resourceType: "Schema", location: `${base}/Schemas/${id}` },
  });
  const text = (name: string, more: object = {}) => attribute(name, "string", more);
  const emailParts = [text("value"), text("type"), attribute("primary", "boolean")];
  const nameParts = [text("formatted"), text("givenName"), text("familyName")];
  const memberParts = [text("value", { mutability: "immutable" }), text("display", { mutability: "readOnly" })];
  return [
    schema(USER_SCHEMA, "User", [
      text("userName", { required: true, uniqueness: "server" }),
      text("externalId", { caseExact: true }),
      text("displayName"),
      attribute("name", "complex", { subAttributes: nameParts }),
      attribute("active", "boolean"),
      attribute("emails", "complex", { multiValued: true, subAttributes: emailParts }),
    ]),
    schema(GROUP_SCHEMA, "Group", [
      text("displayName", { required: true, uniqueness: "server" }),
      text("externalId", { caseExact: true }),
      attribute("members", "complex", { multiValued: true, subAttributes: memberParts }),
    ]),
  ];
}

function attribute(name: string, type: string, more: object = {}): object {
  return {
    name,
    type,
    multiValued: false,
    description: name,
    required: false,
    caseExact: false,
    mutability: "readWrite",
    returned: "default",
    uniqueness: "none",
    ...more,
  };
}
