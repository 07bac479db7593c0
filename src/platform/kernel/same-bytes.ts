import { timingSafeEqual } from "node:crypto";

/** True for equal bytes; the time of the comparison shows their length alone, so it suits signatures and secrets. */
export function isSameBytes(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
