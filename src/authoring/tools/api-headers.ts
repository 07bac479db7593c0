import { assertHeaderAllowed } from "#src/platform/http/safe-fetch.ts";
import { type Fault, toError } from "#src/platform/kernel/errors.ts";
import { MASK } from "#src/platform/kernel/mask.ts";

export type ApiHeaders = Record<string, string>;

/** Message for a mask that stands for no value, or for one that was entered for another host. */
export const NOT_KEPT = "is masked, and no value of it is stored for this address. Enter the value.";

/** Parts of header names that suggest a credential. */
const CREDENTIAL_NAME =
  /authorization|cookie|token|secret|password|passwd|credential|signature|session|key|(^|[-_])(auth|sig|pwd|jwt|bearer)([-_]|$)/i;
/** Headers that are set by the tool's other fields: the type of the body. */
const OPENED = ["content-type"];

/** True for a header whose name suggests that its value is a credential. */
export function carriesCredential(name: string): boolean {
  return CREDENTIAL_NAME.test(name);
}

/** Returns the headers as they are read: credentials masked. */
export function maskHeaders<Value>(headers: Record<string, Value>): Record<string, Value | string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, carriesCredential(name) ? MASK : value]),
  );
}

/** Replaces masks that were sent back by the stored values; a mask without a stored value stays. */
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

/** Returns the faults that make headers unusable. A mask that is left is one of them. */
export function findHeaderFaults(headers: ApiHeaders): Fault[] {
  const seen = new Set<string>();
  return Object.entries(headers).flatMap(([name, value]): Fault[] => {
    const path = `apiHeaders.${name.slice(0, 200)}`;
    const lower = name.toLowerCase();
    if (seen.has(lower)) return [{ path, code: "DUPLICATE", message: "is there twice; case does not count." }];
    seen.add(lower);
    if (isMask(name, value)) return [{ path, code: "MASK", message: NOT_KEPT }];
    try {
      assertHeaderAllowed(name, value, OPENED);
      return [];
    } catch (error) {
      return [{ path, code: "NOT_ALLOWED", message: toError(error).message }];
    }
  });
}
