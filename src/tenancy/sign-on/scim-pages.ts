import { ScimFault } from "./scim-fault.ts";
import { readEquals } from "./scim-values.ts";

/** Resources of one page at most. */
export const MAX_RESULTS = 200;
const USUAL_RESULTS = 100;

/** Part of a list that a request asks for. */
export interface ScimPage {
  /** The first is 1. */
  startIndex: number;
  offset: number;
  limit: number;
}

/** Reads startIndex and count; values out of range mean the nearest (RFC 7644, 3.4.2.4). */
export function readPage(query: URLSearchParams): ScimPage {
  const startIndex = Math.max(1, readNumber(query.get("startIndex"), 1));
  const limit = Math.min(MAX_RESULTS, Math.max(0, readNumber(query.get("count"), USUAL_RESULTS)));
  return { startIndex, offset: startIndex - 1, limit };
}

/** Reads the filter of a list, which may compare one of the named attributes. */
export function readFilter<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): { [Key in Name]?: string } {
  const filter = query.get("filter");
  if (filter === null || filter === "") return {};
  const { attribute, value } = readEquals(filter);
  const name = names.find((one) => one.toLowerCase() === attribute);
  if (name === undefined)
    throw new ScimFault(400, `Filters compare ${names.join(", ")} and nothing else.`, "invalidFilter");
  return { [name]: value } as { [Key in Name]?: string };
}

/** Returns a page of a list, as SCIM shows it. */
export function showPage(total: number, resources: object[], startIndex = 1): Record<string, unknown> {
  return {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

function readNumber(text: string | null, usual: number): number {
  if (text === null || text === "") return usual;
  if (!/^-?\d{1,9}$/.test(text)) throw new ScimFault(400, "startIndex and count are whole numbers.", "invalidValue");
  return Number(text);
}
