import { METHODS, WITHOUT_METHOD } from "./names.ts";

/** A JSON schema, as far as the document uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
}

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

interface DocumentedOperation {
  summary: string;
  description: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}

/** The OpenAPI document of the service, as far as the SDK is made from it. */
export interface ApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
}

/** An operation of the document with the name that the SDK gives it. */
export interface Operation {
  resource: string;
  method: string;
  verb: string;
  path: string;
  summary: string;
  description: string;
  pathParameters: string[];
  query: Parameter[];
  headers: string[];
  takesKey: boolean;
  body: { kind: "JSON" | "FORM"; schema: Schema; required: boolean } | undefined;
  reply: { kind: "JSON"; schema: Schema } | { kind: "TEXT" | "RAW" | "NONE" };
}

const PREFIX = "/api/external/v1";

/**
 * Returns the operations of the document under their names. Throws when one has neither a name nor a reason to be left
 * out, and when a name belongs to none.
 */
export function readOperations(document: ApiDocument): Operation[] {
  const left = new Map<string, DocumentedOperation>(
    Object.entries(document.paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, found]) => [`${verb.toUpperCase()} ${path}`, found] as const),
    ),
  );
  const take = (key: string): DocumentedOperation => {
    const found = left.get(key);
    if (!found) throw new Error(`tests/kit/sdk-generator/names.ts names ${key}, which the API does not have.`);
    left.delete(key);
    return found;
  };
  const operations = Object.entries(METHODS).flatMap(([resource, methods]) =>
    Object.entries(methods).map(([method, key]) => {
      const [verb = "", short = ""] = key.split(" ");
      const path = short.startsWith("/api/") ? short : PREFIX + short;
      return { resource, method, verb, path, ...describe(take(`${verb} ${path}`), verb, path) };
    }),
  );
  for (const key of Object.keys(WITHOUT_METHOD)) take(key);
  if (left.size > 0)
    throw new Error(`tests/kit/sdk-generator/names.ts names no method for ${[...left.keys()].join(", ")}.`);
  return operations;
}

function describe(
  found: DocumentedOperation,
  verb: string,
  path: string,
): Omit<Operation, "resource" | "method" | "verb" | "path"> {
  const headers = found.parameters.filter((one) => one.in === "header").map(({ name }) => name);
  return {
    summary: found.summary,
    description: found.description,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
    query: found.parameters.filter((one) => one.in === "query"),
    headers: headers.filter((name) => name !== "Idempotency-Key" && name !== "Prefer"),
    takesKey: headers.includes("Idempotency-Key"),
    // fetch sends no body with a GET.
    body: verb === "GET" ? undefined : readRequest(found.requestBody),
    reply: readReply(found.responses),
  };
}

function readRequest(request: DocumentedOperation["requestBody"]): Operation["body"] {
  if (!request) return undefined;
  const { required, content } = request;
  const form = content["multipart/form-data"];
  const json = content["application/json"] ?? content["*/*"];
  if (json) return { kind: "JSON", schema: json.schema, required };
  if (form) return { kind: "FORM", schema: form.schema, required };
  throw new Error(`No method sends ${Object.keys(content).join(", ")}.`);
}

function readReply(responses: DocumentedOperation["responses"]): Operation["reply"] {
  const success = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const [type = "", media] = success.flatMap(([, { content }]) => Object.entries(content ?? {}))[0] ?? [];
  if (!media) return { kind: "NONE" };
  if (type === "application/json") return { kind: "JSON", schema: media.schema };
  return { kind: ["text/csv", "application/xml"].includes(type) ? "TEXT" : "RAW" };
}
