import type pg from "pg";
import { isUnavailable } from "#src/platform/db/database.ts";
import { toStorableJson } from "#src/platform/kernel/storable.ts";
import type { CallEnd, CallResult } from "./finish.ts";

const LEFT_OUT = "(left out: it could not be stored)";

/**
 * Returns an end that the database refused without the parts that it refuses; the end's error names them. The rest of
 * the record stays: how the call ended, and every turn, output and field that can be stored. Throws when the database
 * is unavailable.
 */
export async function leaveOutUnstorable(pool: pg.Pool, end: CallEnd): Promise<CallEnd> {
  const { result } = end;
  if (!result) return end;
  const left: string[] = [];
  const keep = async <Part>(name: string, part: Part, substitute: Part): Promise<Part> => {
    if (await isStorable(pool, part)) return part;
    left.push(name);
    return substitute;
  };
  const kept = await keepParts(result, keep);
  const doubt = end.doubt && (await keep("the words of the opt-out review", end.doubt, { ...end.doubt, quotes: [] }));
  if (left.length === 0) return end;
  const message = `Left out of the record, because it could not be stored: ${left.join(", ")}.`.slice(0, 500);
  return { ...end, error: end.error ?? { code: "RESULT_INCOMPLETE", message }, result: kept, doubt: doubt ?? null };
}

type Keep = <Part>(name: string, part: Part, substitute: Part) => Promise<Part>;

async function keepParts(result: CallResult, keep: Keep): Promise<CallResult> {
  const transcript: unknown[] = [];
  for (const [i, turn] of result.transcript.entries()) {
    transcript.push(await keep<unknown>(`turn ${i}`, turn, { ...(turn as object), content: LEFT_OUT }));
  }
  const structuredOutputs: Record<string, unknown> = {};
  for (const [name, output] of Object.entries(result.structuredOutputs)) {
    const substitute = { ...(output as object), value: null, valid: false, errors: [LEFT_OUT] };
    structuredOutputs[name] = await keep<unknown>(`structuredOutputs.${name}`, output, substitute);
  }
  const extractedFields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(result.extractedFields)) {
    extractedFields[name] = await keep<unknown>(`extractedFields.${name}`, value, null);
  }
  const usage = await keep("usage", result.usage, {});
  const answer = await keep("answer", result.answer, null);
  return { ...result, transcript, structuredOutputs, extractedFields, usage, answer };
}

async function isStorable(pool: pg.Pool, part: unknown): Promise<boolean> {
  try {
    await pool.query("select $1::jsonb is not null", [toStorableJson(part ?? null)]);
    return true;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return false;
  }
}
