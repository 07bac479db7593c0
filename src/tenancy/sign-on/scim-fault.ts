/** Detail of a 400 or 409 (RFC 7644, 3.12). */
export type ScimType = "invalidFilter" | "invalidSyntax" | "invalidPath" | "invalidValue" | "noTarget" | "uniqueness";

/** A refused SCIM request. */
export class ScimFault extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

/** Returns the refusal of a value in a body. */
export function invalidValue(detail: string): ScimFault {
  return new ScimFault(400, detail, "invalidValue");
}

/** Returns the refusal of something that another resource has. */
export function taken(detail: string): ScimFault {
  return new ScimFault(409, detail, "uniqueness");
}

/** Returns the refusal of an id that this provider has not. */
export function noResource(id: string): ScimFault {
  return new ScimFault(404, `There is no resource ${id.slice(0, 100)}.`);
}
