import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";

/** Any part of a document. */
export type Schema = { [name: string]: unknown };

/** Lists the faults of a request to one operation; empty when it has none. */
export interface DocumentedOperation {
  check(query: Record<string, string>, body: unknown): unknown[];
}

/** One published document. */
export interface PublishedDocument {
  /** Returns the operation of a path at the carrier; undefined when the document has none. */
  find(method: string, path: string): DocumentedOperation | undefined;
}

/** The path of each document's server, by file; the messages API has moved on from v0.1. */
const PREFIXES: Readonly<Record<string, string>> = {
  "vonage-voice.yml": "/v1/calls",
  "vonage-numbers.yml": "",
  "vonage-application.v2.yml": "/v2/applications",
  "vonage-messages-olympus.yml": "/v1/messages",
  "vonage-sms.yml": "/sms",
};

/**
 * Endpoint types for which the documents contradict themselves. An endpoint's `type` says "must be `phone`" and so on
 * in words only, so that a phone would also be a SIP endpoint and never "exactly one".
 */
const ENDPOINTS = {
  EndpointPhoneTo: "phone",
  EndpointPhoneFrom: "phone",
  EndpointSip: "sip",
  EndpointWebsocket: "websocket",
  EndpointVBCExtension: "vbc",
} as const;

/** Reads a document for checking requests. */
export function readDocument(name: string, source: Schema): PublishedDocument {
  const document = structuredClone(source);
  const components = document.components as { schemas: Record<string, Schema>; parameters?: Record<string, Schema> };
  for (const [schema, type] of Object.entries(ENDPOINTS)) {
    const properties = components.schemas[schema]?.properties as Record<string, Schema> | undefined;
    if (properties?.type) properties.type.enum = [type];
  }
  const ajv = new Ajv2020.default({ strict: false, validateFormats: false, allErrors: true, coerceTypes: true });
  const exact = new Ajv2020.default({ strict: false, validateFormats: false, allErrors: true });
  const inPlace = (schema: unknown) =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components', `"${name}#/components`)) as Schema;
  const known = { $id: name, components: inPlace({ schemas: components.schemas }) };
  ajv.addSchema(known);
  exact.addSchema(known);
  const paths = document.paths as Record<string, Record<string, Schema>>;
  return {
    find(method, path) {
      const template = Object.keys(paths).find((candidate) => toPattern(name, candidate).test(path));
      const operation = template === undefined ? undefined : paths[template]?.[method.toLowerCase()];
      if (!operation) return undefined;
      const parameters = parametersOf(operation, components.parameters ?? {});
      const query = ajv.compile({
        type: "object",
        properties: Object.fromEntries(parameters.map((entry) => [entry.name, inPlace(entry.schema)])),
        required: parameters.filter(({ required }) => required === true).map((entry) => entry.name),
        additionalProperties: false,
      });
      const body = bodySchema(operation);
      // A member that no schema has is an error of ours.
      const validate = body ? exact.compile({ allOf: [inPlace(body)], unevaluatedProperties: false }) : null;
      return { check: (given, sent) => [...errorsOf(query, { ...given }), ...checkBody(validate, sent)] };
    },
  };
}

function toPattern(name: string, path: string): RegExp {
  const own = path === "/" ? "" : path.replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${PREFIXES[name] ?? ""}${own}$`);
}

function parametersOf(operation: Schema, shared: Record<string, Schema>): Schema[] {
  const listed = (operation.parameters ?? []) as Schema[];
  const whole = listed.map((entry) =>
    typeof entry.$ref === "string" ? (shared[entry.$ref.split("/").at(-1) ?? ""] as Schema) : entry,
  );
  return whole.filter((entry) => entry.in === "query");
}

function bodySchema(operation: Schema): unknown {
  const content = (operation.requestBody as { content?: Record<string, { schema: unknown }> } | undefined)?.content;
  return content ? Object.values(content)[0]?.schema : undefined;
}

function checkBody(validate: ValidateFunction | null, body: unknown): unknown[] {
  if (!validate) return body === undefined ? [] : ["a body that the document does not have"];
  return errorsOf(validate, body);
}

function errorsOf(validate: ValidateFunction, value: unknown): unknown[] {
  return validate(value) ? [] : (validate.errors ?? []);
}

/** Returns the examples of a schema, combined into one sample for each alternative. */
export function collectSamples(document: Schema, schema: Schema): unknown[] {
  const whole = resolveRef(document, schema);
  if (whole.example !== undefined) return [whole.example];
  const alternatives = (whole.oneOf ?? whole.anyOf) as Schema[] | undefined;
  if (alternatives) return alternatives.flatMap((entry) => collectSamples(document, entry));
  let samples: Schema[] = [{}];
  for (const part of (whole.allOf ?? []) as Schema[]) {
    const more = collectSamples(document, part) as Schema[];
    samples = samples.flatMap((sample) => more.map((other) => ({ ...sample, ...other })));
  }
  for (const [name, property] of Object.entries((whole.properties ?? {}) as Record<string, Schema>)) {
    const [value] = collectSamples(document, property);
    samples = samples.map((sample) => ({ ...sample, [name]: value }));
  }
  if (whole.allOf || whole.properties) return samples;
  const [first] = (whole.enum ?? []) as unknown[];
  return [whole.type === "array" ? [] : (first ?? "text")];
}

function resolveRef(document: Schema, schema: Schema): Schema {
  if (typeof schema.$ref !== "string") return schema;
  const path = schema.$ref.slice(2).split("/");
  return path.reduce<unknown>((part, name) => (part as Schema)[name], document) as Schema;
}
