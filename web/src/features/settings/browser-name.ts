import { t } from "#web/i18n/t.ts";

const BROWSERS: [RegExp, string][] = [
  [/Edg\//, t`Edge`],
  [/OPR\//, t`Opera`],
  [/Firefox\//, t`Firefox`],
  [/Chrome\//, t`Chrome`],
  [/Safari\//, t`Safari`],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, t`Android`],
  [/Windows/, t`Windows`],
  [/Mac OS X/, "macOS"],
  [/Linux/, t`Linux`],
];

/** Browser and system of a user agent; "Unknown browser" when none is recognised. */
export function nameBrowser(userAgent: string | null): string {
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const browser = find(BROWSERS) ?? t`Unknown browser`;
  const system = find(SYSTEMS);
  return system === undefined ? browser : t`${browser} on ${system}`;
}
