import type { ToolFields } from "#src/authoring/tools/tool-fields.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { ToolFailure } from "./tool-failure.ts";
import { isRecord, toCanonicalJson } from "./values.ts";

const MAX_DELAY_MS = 120_000;

interface Mock {
  result: unknown;
  error: string | null;
  delayMs: number;
}

/** Returns the mocked answer to these parameters; null when the tool is not mocked. The first case that fits counts. */
export function findMock({ mockConfig }: ToolFields, parameters: Record<string, unknown>): Mock | null {
  if (!mockConfig?.enabled) return null;
  const found = (mockConfig.cases ?? []).find((one) => fits(one.when, parameters));
  const { result, error, delayMs } = found ?? mockConfig;
  return {
    result: result ?? null,
    error: typeof error === "string" && error !== "" ? error : null,
    delayMs: typeof delayMs === "number" ? Math.min(Math.max(delayMs, 0), MAX_DELAY_MS) : (mockConfig.delayMs ?? 0),
  };
}

function fits(when: unknown, parameters: Record<string, unknown>): boolean {
  if (!isRecord(when)) return true;
  return Object.entries(when).every(([name, value]) => {
    const given = Object.hasOwn(parameters, name) ? parameters[name] : null;
    return toCanonicalJson(given) === toCanonicalJson(value);
  });
}

/** Waits as long as the mock says, then returns its answer or throws its failure. */
export async function playMock({ result, error, delayMs }: Mock, signal: AbortSignal): Promise<unknown> {
  if (delayMs > 0) await sleep(delayMs, signal);
  if (error !== null) throw new ToolFailure("MOCK_ERROR", error);
  return result;
}
