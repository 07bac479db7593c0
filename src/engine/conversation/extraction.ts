import {
  addUsageOf,
  type LanguageModel,
  type ModelMessage,
  type OutputDefinition,
  type TokenUsage,
} from "#src/engine/models/models.ts";
import { isRecord, propertiesOf } from "#src/engine/stages/field-schemas.ts";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import { renderTemplate, TemplateError } from "#src/platform/template/template.ts";
import { guardModel } from "./agent-turn.ts";
import { completeTimes } from "./complete-times.ts";
import { DEFAULT_HISTORY_TOKENS, keepWithin } from "./history.ts";
import { clockOf } from "./local-clock.ts";
import type { FilledOutput, PlannedOutput, SessionPlan, ValidateOutput } from "./plan.ts";
import { endModelStep, type OpenStep, type SessionTrace } from "./session-trace.ts";

/** Input of the extraction after a session. */
export interface ExtractionInput {
  model: LanguageModel;
  messages: ModelMessage[];
  /** The flow's limit, to which a conversation that the model refuses is shortened; 24,000 when absent. */
  maxHistoryTokens?: number | undefined;
  outputs: OutputDefinition[];
  language: string;
  validate: ValidateOutput;
  now: () => Date;
  /** The person's zone, IANA, by which times without an offset are read. */
  zone: string;
  /** Milliseconds of wall-clock time for one answer of the model. */
  timeoutMs: number;
  signal: AbortSignal;
  trace?: SessionTrace | null;
  /** Values that the session's stages recorded, which stand; absent in a session without stages. */
  recorded?: Record<string, unknown>;
}

/** Values of the outputs by name, and the tokens that filling them used. */
export interface Extraction extends TokenUsage {
  outputs: Record<string, FilledOutput>;
  extractedFields: Record<string, unknown>;
  /** Names of outputs that may be filled later, because their model was unavailable or busy. */
  pending: string[];
}

const GARBLED = "MODEL_GARBLED";
/** Codes of failures that a retry in a minute will not fix. */
const LASTING = new Set(["MODEL_REFUSED", "MODEL_TRUNCATED", GARBLED]);

/**
 * Fills every output from the conversation. A value that does not fit its schema goes back to the model once with its
 * faults, unless it only lacks what the person did not say; one that still does not fit is kept and marked. A
 * conversation that the model refuses is sent once more, as far as it is within the flow's limit: a model may have room
 * for no more. Never throws.
 */
export async function extractOutputs(input: ExtractionInput): Promise<Extraction> {
  const usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  const results = await Promise.all(input.outputs.map((output) => fillOne(input, output, usage)));
  const fields = new Map<string, unknown>();
  for (const filled of results) {
    if (!filled.valid || filled.value === null || typeof filled.value !== "object") continue;
    for (const [name, value] of Object.entries(filled.value)) {
      // Null says that this output did not find it, which takes nothing from one that did.
      if (value !== null || !fields.has(name)) fields.set(name, value);
    }
  }
  return {
    outputs: Object.fromEntries(results.map((filled, i) => [input.outputs[i]?.name ?? "", filled])),
    extractedFields: Object.fromEntries(fields),
    pending: results.flatMap((filled, i) => (filled.pending ? [input.outputs[i]?.name ?? ""] : [])),
    ...usage,
  };
}

/** Fills one output, and adds the tokens that it takes to `usage`. */
async function fillOne(input: ExtractionInput, output: OutputDefinition, usage: TokenUsage): Promise<FilledOutput> {
  const finish = (value: unknown, errors: string[]): FilledOutput => {
    const filled = { value, valid: errors.length === 0, errors, extractedAt: input.now().toISOString() };
    return { ...filled, ...sourcesOf(value, input.recorded) };
  };
  const ask = askerOf(input, output, usage);
  let value = withRecorded(null, output, input);
  let faults: string[] = [];
  try {
    if (isWhole(output, value) && input.validate(output.schema, value).length === 0) return finish(value, []);
    try {
      value = await ask([]);
      faults = input.validate(output.schema, value);
    } catch (thrown) {
      // An answer that is no JSON does not fit any schema: the model mends it as any other fault.
      if (codeOf(thrown) !== GARBLED) throw thrown;
      faults = [toError(thrown).message];
    }
    if (faults.length === 0 || onlyLacks(output, value, input.validate)) return finish(value, faults);
    const repaired = await ask(faults);
    return finish(repaired, input.validate(output.schema, repaired));
  } catch (thrown) {
    const failed = finish(value, [...faults, `The model failed: ${toError(thrown).message}`]);
    return LASTING.has(codeOf(thrown) ?? "") ? failed : { ...failed, pending: true };
  }
}

/**
 * Returns the function that asks the model for an output's value, given the faults of the answer before. Once the model
 * had no room for the conversation, it is asked about the shortened one.
 */
function askerOf(input: ExtractionInput, output: OutputDefinition, usage: TokenUsage) {
  const { model, outputs, language, timeoutMs, signal, trace, recorded } = input;
  let { messages } = input;
  const ask = async (faults: string[]): Promise<unknown> => {
    const step = trace?.begin();
    const asked = guardModel({ pieceMs: timeoutMs, totalMs: timeoutMs }, signal, (guarded) =>
      model.extract({
        messages,
        output,
        outputs,
        language,
        faults,
        signal: guarded,
        ...(recorded ? { recorded } : {}),
      }),
    );
    if (step) void endAfter(step, model.name, asked);
    const result = await addUsageOf(asked, usage);
    const value = completeTimes(output.schema, result.value ?? null, { zone: input.zone, at: input.now() });
    return withRecorded(value, output, input);
  };
  return async (faults: string[]): Promise<unknown> => {
    try {
      return await ask(faults);
    } catch (thrown) {
      const kept = keepWithin(messages, input.maxHistoryTokens ?? DEFAULT_HISTORY_TOKENS);
      if (codeOf(thrown) !== "MODEL_REFUSED" || kept === messages) throw thrown;
      messages = kept;
      return ask(faults);
    }
  };
}

/** Returns a value in which what the stages recorded stands, whatever the model found. */
function withRecorded(value: unknown, { schema }: OutputDefinition, { recorded }: ExtractionInput): unknown {
  if (!recorded) return value;
  const own = [...propertiesOf(schema).keys()].filter((name) => Object.hasOwn(recorded, name));
  if (own.length === 0) return value;
  return { ...(isRecord(value) ? value : {}), ...Object.fromEntries(own.map((name) => [name, recorded[name]])) };
}

/**
 * True when a value fits but for required properties that the model gave as null: the person did not say them. To ask
 * again would cost as much as the first time, and invite the model to invent them.
 */
function onlyLacks({ schema }: OutputDefinition, value: unknown, validate: ValidateOutput): boolean {
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  if (!isRecord(value) || !required.every((name) => Object.hasOwn(value, name))) return false;
  const said = Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
  return validate({ ...schema, required: [] }, said).length === 0;
}

/** True when the stages recorded every property, so that no model has to be asked. */
function isWhole({ schema }: OutputDefinition, value: unknown): boolean {
  const names = [...propertiesOf(schema).keys()];
  return names.length > 0 && isRecord(value) && names.every((name) => Object.hasOwn(value, name));
}

function sourcesOf(value: unknown, recorded: ExtractionInput["recorded"]): Pick<FilledOutput, "sources"> {
  if (!recorded) return {};
  if (!isRecord(value)) return { sources: {} };
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  const sourceOf = (name: string) =>
    Object.hasOwn(recorded, name) ? ("ASKED" as const) : ("FOUND_AFTERWARDS" as const);
  return { sources: Object.fromEntries(entries.map(([name]) => [name, sourceOf(name)])) };
}

/** Records a request to a model once it is over. */
async function endAfter(step: OpenStep, modelName: string, request: Promise<TokenUsage>): Promise<void> {
  const outcome = await request.catch((error: unknown) => ({ fault: codeOf(error) ?? "MODEL_FAILED" }));
  endModelStep(step, modelName, outcome);
}

/**
 * Returns the outputs whose condition holds. A condition that cannot be rendered holds: a surplus field is better than
 * a lost one.
 */
export function selectOutputs(
  plan: SessionPlan,
  variables: Record<string, unknown>,
  endReason: string | null,
): PlannedOutput[] {
  const globals = { memory: plan.memory, channel: plan.channel, endReason };
  return plan.outputs.filter(({ condition }) => {
    if (condition === undefined || condition === null || condition.trim() === "") return true;
    try {
      return !["", "0", "false"].includes(renderTemplate(condition, variables, globals, clockOf(plan)).trim());
    } catch (error) {
      if (error instanceof TemplateError) return true;
      throw error;
    }
  });
}
