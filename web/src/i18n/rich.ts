import { createElement, Fragment, type ReactNode } from "react";
import { translateTemplate } from "./t.ts";

/** Returns a text with elements in it, such as links: rich`Read ${<Link />} first.` is the message `Read {0} first.` */
export function rich(strings: TemplateStringsArray, ...values: ReactNode[]): ReactNode {
  const parts = translateTemplate(strings).split(/\{(\d)\}/);
  return createElement(Fragment, null, ...parts.map((part, i) => (i % 2 === 0 ? part : values[Number(part)])));
}
