import { METHODS } from "./names.ts";
import type { Operation, Schema } from "./operations.ts";
import { capital, needsName, shapeName } from "./shapes.ts";

const NOTICE = "/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */";
const PREFIX = "/api/external/v1";

/** Returns the source of the class of each resource, by the name of its file. */
export function writeResources(operations: Operation[], schemas: Record<string, Schema>): Map<string, string> {
  return new Map(
    Object.keys(METHODS).map((resource) => {
      const own = operations.filter((operation) => operation.resource === resource);
      return [`${fileName(resource)}.ts`, writeClass(resource, own, schemas)];
    }),
  );
}

function fileName(resource: string): string {
  return resource.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function writeClass(resource: string, operations: Operation[], schemas: Record<string, Schema>): string {
  const methods = operations.map((operation) => writeMethod(operation, schemas)).join("\n\n");
  const used = (pattern: RegExp): string[] => [...new Set([...methods.matchAll(pattern)].map(([, name = ""]) => name))];
  const types = used(/\bShapes\.(\w+)/g).toSorted();
  const lines = [
    NOTICE,
    ...(methods.includes("Pages<") ? [`import type { Pages } from "../pages.ts";`] : []),
    `import { pathOf, type RequestOptions, Resource } from "../resource.ts";`,
    ...(types.length > 0 ? [`import type { ${types.join(", ")} } from "./shapes.ts";`] : []),
    "",
    `/** Operations of the API that the resource ${resource} of the client has. */`,
    `export class ${capital(resource)}Operations extends Resource {`,
    methods.replaceAll("Shapes.", ""),
    "}",
    "",
  ];
  return lines.join("\n");
}

function writeMethod(operation: Operation, schemas: Record<string, Schema>): string {
  const { method, verb, path, body, query, takesKey } = operation;
  const page = readPage(operation, schemas);
  const place = `pathOf\`${path.replace(PREFIX, "").replaceAll(/\{(\w+)\}/g, "${$1}")}\``;
  const call = [
    ...(page ? [] : [`method: "${verb}"`]),
    `path: ${path.startsWith(PREFIX) ? place : `"${path}"`}`,
    ...(query.length > 0 ? ["query"] : []),
    ...(body?.kind === "JSON" ? ["json: body"] : body ? ["form: body"] : []),
    ...(takesKey ? ["takesKey: true"] : []),
    ...(operation.reply.kind === "TEXT" || operation.reply.kind === "RAW" ? [`answer: "${operation.reply.kind}"`] : []),
  ].join(", ");
  const send = page ? "readPages" : "sendRequest";
  return [
    ...writeComment(operation),
    `  ${method}(${writeParameters(operation)}): ${page ?? `Promise<${replyType(operation)}>`} {`,
    `    return this.${send}({ ${call} }, options);`,
    "  }",
  ].join("\n");
}

function writeComment({ summary, description, headers, takesKey }: Operation): string[] {
  const lines = [
    `${summary.replace(" (extension)", "")}.`,
    ...(description ? [description] : []),
    ...(headers.length > 0 ? [`Takes ${headers.join(", ")} in the headers of the options.`] : []),
    ...(takesKey ? ["Sends an Idempotency-Key, so that a repeat does nothing twice."] : []),
  ];
  return ["  /**", ...lines.map((line) => `   * ${line.replaceAll("*/", "* /")}`), "   */"];
}

function writeParameters(operation: Operation): string {
  const { pathParameters, query, body } = operation;
  const isNeeded = query.some(({ required }) => required);
  return [
    ...pathParameters.map((name) => `${name}: string`),
    ...(body ? [`body${body.required ? "" : "?"}: ${bodyType(operation)}`] : []),
    ...(query.length > 0 ? [`query: Shapes.${shapeName(operation, "Query")}${isNeeded ? "" : " = {}"}`] : []),
    "options: RequestOptions = {}",
  ].join(", ");
}

function bodyType(operation: Operation): string {
  const schema = operation.body?.schema ?? {};
  return needsName(schema) ? `Shapes.${shapeName(operation, "Body")}` : typeOf(schema);
}

function replyType(operation: Operation): string {
  const { reply } = operation;
  if (reply.kind === "JSON") {
    return needsName(reply.schema) ? `Shapes.${shapeName(operation, "Reply")}` : typeOf(reply.schema);
  }
  return { NONE: "void", TEXT: "string", RAW: "Response" }[reply.kind];
}

/** Returns the type of a list that is read page by page; undefined for other operations. */
function readPage(operation: Operation, schemas: Record<string, Schema>): string | undefined {
  const { reply, verb } = operation;
  if (reply.kind !== "JSON" || verb !== "GET") return undefined;
  const { schema } = reply;
  const content = (schema.$ref === undefined ? schema : schemas[nameOf(schema.$ref)])?.properties?.content;
  if (content?.items?.$ref === undefined) return undefined;
  return `Pages<${typeOf(content.items)}, ${replyType(operation)}>`;
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return `Shapes.${nameOf(schema.$ref)}`;
  if (schema.allOf) return schema.allOf.map(typeOf).join(" & ");
  if (schema.type === "array") return `${typeOf(schema.items ?? {})}[]`;
  return schema.type === "object" ? "Record<string, unknown>" : "unknown";
}

function nameOf(ref: string): string {
  return ref.split("/").at(-1) ?? "";
}
