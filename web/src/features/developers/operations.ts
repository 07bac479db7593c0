import { t } from "#web/i18n/t.ts";
import type { ApiCall } from "#web/ui/snippets.ts";

interface Described {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  requestBody?: object;
}

/** The parts of the OpenAPI document that are used. */
export interface OpenApi {
  paths: Record<string, Record<string, Described>>;
}

/** One operation of the API. */
export interface Operation {
  id: string;
  tag: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  call: ApiCall;
  /** Text that the search matches. */
  text: string;
}

const API = "/api/external/v1";
const METHODS = new Set(["get", "post", "put", "patch", "delete"]);

/** The operations of the external API, in the document's order. */
export function listOperations({ paths }: OpenApi): Operation[] {
  return Object.entries(paths)
    .filter(([path]) => path.startsWith(`${API}/`))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => METHODS.has(method))
        .map(([method, described]) => toOperation(method.toUpperCase(), path, described)),
    );
}

function toOperation(method: string, path: string, described: Described): Operation {
  const { operationId = `${method} ${path}`, tags = [], summary = "", description = "" } = described;
  const tag = tags[0] ?? t`Other`;
  return {
    id: operationId,
    tag,
    method,
    path,
    summary,
    description,
    call: { method, path: path.slice(API.length), ...(described.requestBody ? { body: {} } : {}) },
    text: [method, path, summary, tag].join(" ").toLowerCase(),
  };
}
