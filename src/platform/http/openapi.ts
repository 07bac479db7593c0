import { isDeepStrictEqual } from "node:util";
import type { Route } from "./route.ts";
import type { TSchema } from "./schemas.ts";
import { hasKnownMembers, Warned } from "./unknown-members.ts";

type Json = Record<string, unknown>;

const ErrorShape: Json = {
  type: "object",
  required: ["error", "message", "code", "details", "requestId"],
  properties: {
    error: { type: "string" },
    message: { type: "string", description: "What is wrong and what to do." },
    code: { type: "string", description: "Stable name of the error." },
    details: {
      type: "array",
      items: {
        type: "object",
        required: ["path", "code", "message"],
        properties: { path: { type: "string" }, code: { type: "string" }, message: { type: "string" } },
      },
    },
    requestId: { type: "string" },
  },
};

const PlainError: Json = {
  type: "object",
  required: ["error"],
  properties: { error: { type: "string" }, message: { type: "string" } },
};

const RateLimitError: Json = {
  type: "object",
  required: ["status", "error"],
  properties: { status: { const: 429 }, error: { const: "Rate limit exceeded" } },
};

const rateHeaderDocs = Object.fromEntries(
  [
    ["X-RateLimit-Limit", "Size of the token bucket."],
    ["X-RateLimit-Remaining", "Tokens left."],
    ["X-RateLimit-Reset", "Seconds until the bucket is full again."],
  ].map(([name, description]) => [name, { description, schema: { type: "integer" } }]),
);

/** Headers of single statuses, besides those of the rate limit. */
const headerDocs: Record<string, Json> = {
  "401": {
    "WWW-Authenticate": {
      description:
        "Bearer with resource_metadata, the address of the resource's metadata (RFC 9728); of the token endpoint Basic.",
      schema: { type: "string" },
    },
  },
  "429": { "Retry-After": { description: "Seconds until the next token.", schema: { type: "integer" } } },
};
const replayedDoc: Json = {
  "Idempotent-Replayed": {
    description: "true: the reply to the first request of this key.",
    schema: { type: "string" },
  },
};

/** A webhook as the document describes it. */
export interface DocumentedWebhook {
  event: string;
  summary: string;
  body: TSchema;
}

/** Parts of a document that no route declares. */
export interface DocumentParts {
  webhooks: DocumentedWebhook[];
  tags: { name: string; description: string }[];
  /** JSON bodies by operationId. */
  examples: Record<string, unknown>;
  /** JSON replies by operationId and status, such as `getFlows 200`. */
  replyExamples: Record<string, unknown>;
}

/** Builds the OpenAPI 3.1 document of the declared routes. Schemas with an `$id` become components. */
export function buildOpenApi(routes: Route[], publicUrl: string, parts?: DocumentParts): Json {
  const schemas: Json = { Error: ErrorShape, PlainError, RateLimitError };
  const paths: Record<string, Json> = {};
  for (const declared of routes) {
    paths[declared.path] ??= {};
    (paths[declared.path] as Json)[declared.method.toLowerCase()] = describeRoute(declared, schemas, parts);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Parley external API",
      version: "v1.0.0",
      description: "Outbound voice and chat automation.",
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: publicUrl }],
    security: [{ ApiKey: [] }, { OAuth: [] }],
    ...(parts && { tags: parts.tags }),
    paths,
    ...(parts && { webhooks: describeWebhooks(parts.webhooks, schemas) }),
    components: {
      schemas,
      securitySchemes: {
        ApiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
        OAuth: {
          type: "oauth2",
          flows: { clientCredentials: { tokenUrl: `${publicUrl}/api/oauth/token`, scopes: {} } },
        },
      },
    },
  };
}

function describeRoute(declared: Route, schemas: Json, parts: DocumentParts | undefined): Json {
  const needs = typeof declared.access === "string" ? "" : `Needs ${declared.access.join(" or ")}.`;
  return {
    operationId: operationIdOf(declared),
    tags: [declared.tag],
    summary: declared.summary,
    description: [declared.description, needs].filter(Boolean).join(" "),
    ...(declared.access === "PUBLIC" ? { security: [] } : {}),
    parameters: [
      ...parameters(declared.params, "path", schemas),
      ...parameters(declared.query, "query", schemas),
      ...parameters(declared.headers, "header", schemas),
      ...(takesKey(declared) ? [idempotencyParameter] : []),
      ...(warnsOf(declared) ? [preferParameter] : []),
    ],
    ...describeBody(declared, schemas, parts?.examples[operationIdOf(declared)]),
    responses: describeReplies(declared, schemas, parts?.replyExamples ?? {}),
  };
}

/** Returns each event as the request that a receiver gets. Its answer is described by the delivery, not by this service. */
function describeWebhooks(webhooks: DocumentedWebhook[], schemas: Json): Json {
  const headers = webhookHeaders.map(([name, description]) => ({
    name,
    in: "header",
    required: true,
    description,
    schema: { type: "string" },
  }));
  const describe = ({ event, summary, body }: DocumentedWebhook): Json => ({
    operationId: `receive${event.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ["Webhooks"],
    summary,
    description:
      "Signed by Standard Webhooks 1.0. Sent again, up to ten times, until it is answered with 2xx within 15 s.",
    security: [],
    parameters: headers,
    requestBody: { required: true, content: { "application/json": { schema: hoist(body, schemas) } } },
    responses: { "2XX": { description: "Received." }, "410": { description: "Unwanted: not sent again." } },
  });
  return Object.fromEntries(webhooks.map((webhook) => [webhook.event, { post: describe(webhook) }]));
}

const webhookHeaders = [
  ["webhook-id", "Id of the event, as X-Service-Event-Id."],
  ["webhook-timestamp", "Seconds since 1970 of this attempt."],
  ["webhook-signature", "HMAC-SHA256 (v1) of id, timestamp and raw body."],
  ["X-Service-Event-Type", "The event."],
  ["X-Service-Event-Id", "The same on every attempt."],
  ["X-Service-Delivery-Attempt", "1 for the first."],
] as const;

/** True for a route that honours an Idempotency-Key. */
function takesKey({ idempotent, bodyKind }: Route): boolean {
  return idempotent === true || bodyKind === "STREAM";
}

const idempotencyParameter: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Same key and body: the first reply again, for 24 h. Another body: 422. Still running: 409. The first reply named a contact who was erased since: 410.",
  schema: { type: "string", maxLength: 255 },
};

const preferParameter: Json = {
  name: "Prefer",
  in: "header",
  required: false,
  description: "handling=strict: a body with a member that is not known is refused with 422, and nothing is done.",
  schema: { type: "string" },
};

/** True for a route whose JSON body closes an object, so that its reply may hold warnings. */
function warnsOf({ body, namedBody = body, bodyKind = "JSON", consumes = [] }: Route): boolean {
  if (!namedBody || (bodyKind !== "JSON" && bodyKind !== "STREAM")) return false;
  // In a form, only the separately named payload is JSON.
  const isJson = bodyKind === "JSON" || consumes.includes("application/json") || namedBody !== body;
  return isJson && hasKnownMembers(namedBody);
}

/** Returns the name of an operation: the declared one, or method and path. */
export function operationIdOf(declared: Route): string {
  if (declared.operationId !== undefined) return declared.operationId;
  const words = declared.path
    .replace(/^\/api\/(external\/v1\/)?/, "")
    .split(/[/\-.{}]+/)
    .filter(Boolean)
    .map((word) => word[0]?.toUpperCase() + word.slice(1));
  return declared.method.toLowerCase() + words.join("");
}

function parameters(schema: TSchema | undefined, place: "path" | "query" | "header", schemas: Json): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(property.description ? { description: property.description } : {}),
    schema: hoist(property, schemas),
  }));
}

const JSON_TYPE = "application/json";

function describeBody(declared: Route, schemas: Json, example: unknown): Json {
  const shown = example === undefined ? {} : { example };
  if (declared.bodyKind === "ANY" && !declared.body)
    return { requestBody: { required: false, content: { "*/*": { schema: {} } } } };
  if (declared.bodyKind === "STREAM" || declared.bodyKind === "FORM") {
    const types = declared.consumes ?? ["application/x-www-form-urlencoded"];
    const schema = declared.body ? hoist(declared.body as unknown as Json, schemas) : { type: "string" };
    const content = types.map((type) => [type, { schema, ...(type === JSON_TYPE ? shown : {}) }]);
    return { requestBody: { required: true, content: Object.fromEntries(content) } };
  }
  if (!declared.body) return {};
  const schema = hoist(declared.body as unknown as Json, schemas);
  return { requestBody: { required: declared.bodyKind !== "ANY", content: { [JSON_TYPE]: { schema, ...shown } } } };
}

function describeReplies(declared: Route, schemas: Json, examples: Json): Json {
  const replies: Json = {};
  for (const [status, schema] of Object.entries(declared.replies)) {
    const example = examples[`${operationIdOf(declared)} ${status}`];
    const shown = example === undefined ? {} : { example };
    const content = schema && {
      [typeOf(declared, schema)]: { schema: replySchema(declared, schema, schemas), ...shown },
    };
    const isReplayed = takesKey(declared) && Number(status) < 300;
    replies[status] = {
      description: describeStatus(Number(status)),
      headers: { ...rateHeaderDocs, ...headerDocs[status], ...(isReplayed ? replayedDoc : {}) },
      ...(content && { content }),
    };
  }
  const add = (status: string, description: string, name: string) => {
    replies[status] = {
      description,
      headers: { ...rateHeaderDocs, ...headerDocs[status] },
      content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } },
    };
  };
  add("429", "The token bucket is empty; nothing was done.", "RateLimitError");
  add("default", "Any other refusal: 405, 408, 409, 413, 415, 416, 431, 503, 507.", "Error");
  if (declared.access === "PUBLIC") return replies;
  add("400", "The request cannot be read, or a type is wrong.", "Error");
  add("401", "The credential is missing or not valid.", "PlainError");
  add("403", "The credential lacks the permission.", "PlainError");
  add("404", "There is no such resource in this workspace.", "PlainError");
  if (takesKey(declared))
    add("410", "A repeat of this Idempotency-Key, whose first reply named a contact who was erased since.", "Error");
  if (declared.body || declared.bodyKind) add("422", "A rule is broken; details name each field.", "Error");
  return replies;
}

function replySchema(declared: Route, schema: TSchema, schemas: Json): unknown {
  // The content type says it already.
  const { contentMediaType: _, ...rest } = schema as unknown as Json;
  const own = hoist(rest, schemas);
  if ((schema as { type?: unknown }).type === "object" && warnsOf(declared)) addWarnings(own as Json, schemas);
  return own;
}

/**
 * Adds the members of warnings to an object, or to the component that it names. A combination of the two would say the
 * same, but generators of clients lose in it what may be null.
 */
function addWarnings(own: Json, schemas: Json): void {
  const target = (typeof own.$ref === "string" ? schemas[own.$ref.split("/").at(-1) ?? ""] : own) as Json;
  const properties = target.properties as Json;
  const added = (hoist(Warned, schemas) as Json).properties as Json;
  if (properties.warnings && !isDeepStrictEqual(properties.warnings, added.warnings))
    throw new Error("A reply to a write has warnings of its own, which those of its body would replace.");
  target.properties = { ...properties, ...added };
}

function typeOf({ produces }: Route, schema: TSchema): string {
  const { contentMediaType } = schema as { contentMediaType?: string };
  return contentMediaType ?? produces ?? "application/json";
}

function describeStatus(status: number): string {
  if (status >= 400) return "Refused.";
  return status === 204 ? "Done; no body." : "Done.";
}

/** Replaces every sub-schema that has an `$id` by a reference to a component of that name. */
function hoist(schema: unknown, schemas: Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, schemas));
  if (schema === null || typeof schema !== "object") return schema;
  const { $id, ...rest } = schema as Json;
  const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, hoist(value, schemas)]));
  if (typeof $id !== "string") return plain;
  schemas[$id] ??= plain;
  return { $ref: `#/components/schemas/${$id}` };
}
