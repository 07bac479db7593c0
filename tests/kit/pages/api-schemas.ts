import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";

type Json = Record<string, unknown>;

/** The parts of an operation that its examples are compared with. */
export interface DocumentedOperation {
  operationId: string;
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}

interface Content {
  schema: Json;
  example?: unknown;
}

/** The API's document as a test reads it. */
export interface ApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, { post: DocumentedOperation }>;
  components: { schemas: Json };
}

const PREFIX = "/api/external/v1";
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** Compares values with the schemas of the API's document, in which no object may have members that it does not name. */
export class ApiSchemas {
  readonly document: ApiDocument;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });

  constructor(document: ApiDocument) {
    this.document = document;
    this.#ajv.addFormat("date-time", DATE_TIME);
    for (const name of ["email", "uri"]) this.#ajv.addFormat(name, /\S/);
    this.#ajv.addSchema({ components: close(document.components) }, "api");
  }

  /** Returns an operation by its name on the pages, such as `POST /outbound/calls`; throws where there is none. */
  operation(name: string): DocumentedOperation {
    const [method = "", path = ""] = name.split(" ");
    const { paths } = this.document;
    const found = (paths[`${PREFIX}${path}`] ?? paths[path])?.[method.toLowerCase()];
    if (!found) throw new Error(`The API has no operation ${name}.`);
    return found;
  }

  /** Returns what is wrong with a body that an operation is sent. */
  findRequestFaults(operation: DocumentedOperation, value: unknown): string[] {
    const { schema } = operation.requestBody?.content["application/json"] ?? {};
    return schema ? this.#compare(schema, value) : [`${operation.operationId} takes no JSON.`];
  }

  /** Returns what is wrong with a body that an operation answers when it succeeds. */
  findReplyFaults({ operationId, responses }: DocumentedOperation, value: unknown): string[] {
    const [status = ""] = Object.keys(responses).filter((one) => one.startsWith("2"));
    const { schema } = responses[status]?.content?.["application/json"] ?? {};
    return schema ? this.#compare(schema, value) : [`${operationId} answers no JSON.`];
  }

  /** Returns what is wrong with a value of a named schema. */
  findSchemaFaults(name: string, value: unknown): string[] {
    return this.#compare({ $ref: `#/components/schemas/${name}` }, value);
  }

  /** Returns what is wrong with a webhook's body. */
  findEventFaults(event: string, value: unknown): string[] {
    const webhook = this.document.webhooks[event];
    return webhook ? this.findRequestFaults(webhook.post, value) : [`There is no webhook ${event}.`];
  }

  /** Compares a value with a schema. A text that the page cut with an ellipsis fits every rule. */
  #compare(schema: Json, value: unknown): string[] {
    const validate = this.#ajv.compile(point(close(schema)) as Json);
    if (validate(value)) return [];
    return (validate.errors ?? [])
      .filter(({ instancePath }) => !String(valueAt(value, instancePath)).includes("…"))
      .filter(({ keyword }) => !["anyOf", "oneOf", "if"].includes(keyword) || validate.errors?.length === 1)
      .map(describe);
  }
}

function describe({ instancePath, message, keyword, params }: ErrorObject): string {
  return `${keyword} at ${instancePath || "/"}: ${message} ${JSON.stringify(params)}`;
}

function valueAt(value: unknown, pointer: string): unknown {
  const names = pointer.split("/").slice(1);
  const plain = (name: string) => name.replaceAll("~1", "/").replaceAll("~0", "~");
  const found = names.reduce<unknown>((at, name) => (at as Json | undefined)?.[plain(name)], value);
  return typeof found === "string" ? found : "";
}

/** Returns a schema whose objects refuse members that they do not name. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (schema === null || typeof schema !== "object") return schema;
  const rest = schema as Json;
  const inner = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, close(value)]));
  const isClosed = rest.type === "object" && rest.properties !== undefined && rest.additionalProperties === undefined;
  return isClosed ? { ...inner, additionalProperties: false } : inner;
}

/** Returns a schema whose references lead into the document. */
function point(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(point);
  if (schema === null || typeof schema !== "object") return schema;
  const entries = Object.entries(schema).map(([name, value]) =>
    name === "$ref" ? [name, `api${String(value)}`] : [name, point(value)],
  );
  return Object.fromEntries(entries) as Json;
}
