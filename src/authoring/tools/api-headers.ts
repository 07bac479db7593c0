import { assertHeaderAllowed } from "#src/platform/http/safe-fetch.ts";
import { type Fault, toError } from "#src/platform/kernel/errors.ts";

export type ApiHeaders = Record<string, string>;

/** Stands for a value that is not shown. Sent back, it means: as it was. */
export const MASK = "********";

/** Part of a header's name that tells that its value opens something. */
const CREDENTIAL_NAME =
  /authorization|cookie|token|secret|password|passwd|credential|signature|session|key|(^|[-_])(auth|sig|pwd|jwt|bearer)([-_]|$)/i;
/** The body's type is the tool's to say. */
const OPENED = ["content-type"];

/** True for a header whose value carries a credential, by its name. */
export function carriesCredential(name: string): boolean {
  return CREDENTIAL_NAME.test(name);
}

/** The headers as they are read: credentials masked. */
export function maskHeaders(headers: ApiHeaders): ApiHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, carriesCredential(name) ? MASK : value]),
  );
}

/** Puts the stored values in the place of masks that were sent back; one without a stored value stays a mask. */
export function restoreHeaders(sent: ApiHeaders, stored: ApiHeaders): ApiHeaders {
  const known = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      isMask(name, value) ? (known.get(name.toLowerCase()) ?? value) : value,
    ]),
  );
}

function isMask(name: string, value: string): boolean {
  return value === MASK && carriesCredential(name);
}

/** What makes headers unusable; a mask that is left stands for nothing. */
export function findHeaderFaults(headers: ApiHeaders): Fault[] {
  const seen = new Set<string>();
  return Object.entries(headers).flatMap(([name, value]): Fault[] => {
    const path = `apiHeaders.${name.slice(0, 200)}`;
    const lower = name.toLowerCase();
    if (seen.has(lower)) return [{ path, code: "DUPLICATE", message: "is there twice; case does not count." }];
    seen.add(lower);
    if (isMask(name, value)) return [{ path, code: "MASK", message: "is masked, and no value of it is stored." }];
    try {
      assertHeaderAllowed(name, value, OPENED);
      return [];
    } catch (error) {
      return [{ path, code: "NOT_ALLOWED", message: toError(error).message }];
    }
  });
}
