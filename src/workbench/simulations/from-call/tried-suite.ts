import type { Failure } from "#src/workbench/simulations/report.ts";
import { ALWAYS_ON_CHECKS } from "#src/workbench/simulations/suite.ts";
import type { ProposedSuite } from "./suite-of-call.ts";

/** Returns the suite without the expectations that failed when it was tried; each one left out becomes a warning. */
export function dropFailures(proposed: ProposedSuite, failures: Failure[]): ProposedSuite {
  if (failures.length === 0) return proposed;
  const { scenario, suite, warnings } = proposed;
  const expect = structuredClone(scenario.expect) as Record<string, unknown>;
  const ignore = new Set<string>();
  const lostTools = new Set<number>();
  for (const { code, path } of failures) {
    const [key = "", ...rest] = path.split(".");
    const tool = /^tools\[(\d+)\]$/.exec(path)?.[1];
    if ((ALWAYS_ON_CHECKS as readonly string[]).includes(code)) ignore.add(code);
    else if (tool !== undefined) lostTools.add(Number(tool));
    else if (rest.length > 0) delete (expect[key] as Record<string, unknown>)[rest.join(".")];
    else delete expect[key];
  }
  if (Array.isArray(expect.tools)) expect.tools = expect.tools.filter((_tool, i) => !lostTools.has(i));
  const kept = { ...scenario, expect, ...(ignore.size > 0 ? { ignore: [...ignore] } : {}) };
  const reported = failures.map(
    ({ message }) => `When the suite was tried, this did not hold and was left out: ${message}`,
  );
  return { ...proposed, scenario: kept, suite: { ...suite, scenarios: [kept] }, warnings: [...warnings, ...reported] };
}
