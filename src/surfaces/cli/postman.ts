/** The parts of an OpenAPI document that a collection is made from. */
export interface ApiDocument {
  info: { title: string; description?: string };
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, DescribedSchema> };
}

interface DescribedOperation {
  summary: string;
  description?: string;
  tags: string[];
  security?: object[];
  parameters?: DescribedParameter[];
  requestBody?: { content: Record<string, { schema: DescribedSchema }> };
}

interface DescribedParameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: DescribedSchema;
}

interface DescribedSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: DescribedSchema[];
  allOf?: DescribedSchema[];
  properties?: Record<string, DescribedSchema>;
  required?: string[];
  items?: DescribedSchema;
  minimum?: number;
  description?: string;
}

/** A name with its value, as Postman lists headers, queries and variables. */
interface Entry {
  key: string;
  value: string;
  description?: string;
  disabled?: boolean;
}

interface Request {
  method: string;
  description?: string;
  header: Entry[];
  url: { raw: string; host: string[]; path: string[]; query: Entry[]; variable: Entry[] };
  body?: object;
  auth?: { type: "noauth" };
}

/** A collection of Postman's format 2.1, which Bruno, Insomnia and Hoppscotch import, too. */
export interface Collection {
  info: { name: string; description: string; schema: string };
  auth: object;
  variable: Entry[];
  item: { name: string; item: { name: string; request: Request }[] }[];
}

const FORMAT = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
/** A schema that contains itself ends here. */
const DEEPEST = 6;

/** Returns a collection with a request for each operation, in folders by tag. It holds no key: `apiKey` is empty. */
export function toCollection(document: ApiDocument, baseUrl: string): Collection {
  const folders = new Map<string, Collection["item"][number]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = operation.tags[0] ?? "Other";
      const folder = folders.get(name) ?? { name, item: [] };
      folders.set(name, folder);
      const title = operation.summary.replace(/ *\(extension\)$/, "");
      folder.item.push({ name: title, request: toRequest(document, path, method, operation) });
    }
  }
  return {
    info: { name: document.info.title, description: document.info.description ?? "", schema: FORMAT },
    auth: {
      type: "apikey",
      apikey: [
        { key: "key", value: "X-API-Key" },
        { key: "value", value: "{{apiKey}}" },
        { key: "in", value: "header" },
      ],
    },
    variable: [
      { key: "baseUrl", value: baseUrl },
      { key: "apiKey", value: "" },
    ],
    item: [...folders.values()],
  };
}

function toRequest(document: ApiDocument, path: string, method: string, operation: DescribedOperation): Request {
  const route = path.replaceAll(/\{(\w+)\}/g, ":$1");
  const listed = (place: DescribedParameter["in"]): Entry[] =>
    (operation.parameters ?? []).filter((one) => one.in === place).map(toEntry);
  const body = describeBody(document, operation);
  return {
    method: method.toUpperCase(),
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(operation.security?.length === 0 ? { auth: { type: "noauth" } } : {}),
    header: [...listed("header"), ...(body?.header ?? [])],
    url: {
      raw: `{{baseUrl}}${route}`,
      host: ["{{baseUrl}}"],
      path: route.slice(1).split("/"),
      query: listed("query"),
      variable: listed("path"),
    },
    ...(body ? { body: body.body } : {}),
  };
}

/** Optional parameters are listed but switched off, so that a request can be sent as it is. */
function toEntry({ name, in: place, required, description, schema }: DescribedParameter): Entry {
  const disabled = required !== true && place !== "path";
  const value = place === "path" ? "" : (exampleIn(schema) ?? "");
  return { key: name, value, ...(description ? { description } : {}), ...(disabled ? { disabled } : {}) };
}

function describeBody(
  document: ApiDocument,
  { requestBody }: DescribedOperation,
): { header: Entry[]; body: object } | undefined {
  const content = requestBody?.content ?? {};
  const json = content["application/json"]?.schema;
  if (json) {
    const raw = JSON.stringify(exampleOf(document, json, 0), null, 2);
    return {
      header: [{ key: "Content-Type", value: "application/json" }],
      body: { mode: "raw", raw, options: { raw: { language: "json" } } },
    };
  }
  const form = content["multipart/form-data"] ?? content["application/x-www-form-urlencoded"];
  if (!form) return undefined;
  const { properties = {} } = resolve(document, form.schema);
  const isFile = content["multipart/form-data"] !== undefined;
  const fields = Object.keys(properties).map((key) => ({ key, type: key === "file" ? "file" : "text", value: "" }));
  return {
    header: [],
    body: isFile ? { mode: "formdata", formdata: fields } : { mode: "urlencoded", urlencoded: fields },
  };
}

/** Returns the smallest value of a schema: an object has its required members alone. */
function exampleOf(document: ApiDocument, given: DescribedSchema, depth: number): unknown {
  const schema = resolve(document, given);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = schema.anyOf?.find((one) => one.type !== "null");
  if (choice) return exampleOf(document, choice, depth);
  const [type] = [schema.type].flat();
  if (type === "object" || schema.properties) {
    const required = depth < DEEPEST ? (schema.required ?? []) : [];
    const member = (name: string) => exampleOf(document, schema.properties?.[name] ?? {}, depth + 1);
    return Object.fromEntries(required.map((name) => [name, member(name)]));
  }
  if (type === "array") return depth < DEEPEST && schema.items ? [exampleOf(document, schema.items, depth + 1)] : [];
  if (type === "integer" || type === "number") return schema.minimum ?? 0;
  if (type === "boolean") return false;
  return exampleIn(schema) ?? "text";
}

/** Returns the example that a description names: "E.164 number, such as +12025550100." */
function exampleIn({ description = "" }: DescribedSchema): string | undefined {
  return /such as (\S+?)[.,;]?(?:\s|$)/.exec(description)?.[1];
}

function resolve(document: ApiDocument, schema: DescribedSchema): DescribedSchema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.split("/").at(-1) ?? "";
  return document.components.schemas[name] ?? {};
}
