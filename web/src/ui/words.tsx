import { Children, type ComponentPropsWithRef } from "react";
import { withoutBidi } from "./format/bidi.ts";

/**
 * Words of somebody else, such as callers, contacts and tools: set apart from what stands around them, and without the
 * controls that would turn the rest of the line around.
 */
export function Words({ children, ...rest }: ComponentPropsWithRef<"bdi">) {
  return (
    <bdi {...rest}>{Children.map(children, (child) => (typeof child === "string" ? withoutBidi(child) : child))}</bdi>
  );
}
