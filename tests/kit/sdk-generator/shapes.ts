import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import type { ApiDocument, Operation, Schema } from "./operations.ts";

const NOTICE = "/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */\n";

/** Names of the types of an operation's parts that the document describes in place. */
export function shapeName({ resource, method }: Operation, part: "Query" | "Body" | "Reply"): string {
  return capital(resource) + capital(method) + part;
}

/** Returns a text with a capital first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** True for a part that a type of its own is made for: a member of an object, or of a list, is described in place. */
export function needsName(schema: Schema): boolean {
  if (schema.allOf) return schema.allOf.some(needsName);
  return schema.$ref === undefined && (schema.properties !== undefined || schema.items?.properties !== undefined);
}

/** Returns the source of the types: one for each component of the document, and those of the operations' own parts. */
export async function writeShapes(document: ApiDocument, operations: Operation[]): Promise<string> {
  // The bodies of refusals become errors (errors.ts), and no other type names them.
  const kept = Object.entries(document.components.schemas).filter(
    ([name]) => !name.endsWith("Error") || name === "RowError",
  );
  const schemas = Object.fromEntries(kept);
  const add = (name: string, schema: Schema): void => {
    if (schemas[name]) throw new Error(`Two types would be called ${name}.`);
    schemas[name] = schema;
  };
  for (const operation of operations) {
    const { body, query, reply } = operation;
    if (query.length > 0) add(shapeName(operation, "Query"), querySchema(operation));
    if (body && needsName(body.schema)) add(shapeName(operation, "Body"), body.schema);
    if (reply.kind === "JSON" && needsName(reply.schema)) add(shapeName(operation, "Reply"), reply.schema);
  }
  const whole = { openapi: "3.1.0", info: { title: "", version: "" }, paths: {}, components: { schemas } };
  const nodes = await openapiTS(whole as unknown as OpenAPI3, {
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // A file of a form: what `new File` and `fileFrom` give.
    transform: ({ format }) =>
      format === "binary" ? ts.factory.createTypeReferenceNode(ts.factory.createIdentifier("Blob")) : undefined,
  });
  const text = astToString(nodes);
  // Types of paths and operations would be empty: methods are made instead.
  const from = text.indexOf("export interface components");
  const to = text.indexOf("export type $defs");
  return `${NOTICE}${text.slice(from, to === -1 ? undefined : to)}`;
}

/** Returns the query as an object. Pages are counted by the cursor, which the list itself follows. */
function querySchema({ query }: Operation): Schema {
  const shown = query.filter(({ name }) => name !== "page" && name !== "cursor");
  return {
    type: "object",
    properties: Object.fromEntries(shown.map(({ name, schema }) => [name, schema])),
    required: shown.filter(({ required }) => required).map(({ name }) => name),
  };
}
