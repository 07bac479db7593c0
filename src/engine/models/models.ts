/** The language-model port. Adapters live beside this file; nothing here depends on a vendor. */

/** A JSON Schema (2020-12) as plain data. */
export type JsonSchema = Record<string, unknown>;

export interface ModelMessage {
  role: "SYSTEM" | "ASSISTANT" | "USER" | "TOOL";
  content: string;
  /** For TOOL: id of the call that this answers. */
  toolCallId?: string;
  /** For ASSISTANT: the calls made in this message. */
  toolCalls?: ToolCall[];
}

export interface ToolCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

/** A tool in the form that a model sees. */
export interface ToolOffer {
  name: string;
  description: string;
  inputSchema: JsonSchema;
}

/** A set of fields to fill from the conversation, by JSON Schema. */
export interface OutputDefinition {
  name: string;
  description: string;
  schema: JsonSchema;
}

/** Stage of the dialogue in which a turn is taken, for a model that plans its own questions. */
export interface StageTurn {
  type: "TALK" | "CONFIRM";
  /** Properties of the outputs that the stage asks for and that apply, in their order. */
  fields: string[];
  /** Values recorded so far, and those of them that were known when the stage was entered. */
  recorded: Record<string, unknown>;
  recordedAtEntry: Record<string, unknown>;
  /** All outputs of the session: the person may say more than they are asked. */
  outputs: OutputDefinition[];
  /** Meanings of the person's words from which the turn may choose one. */
  choices: { id: string; examples: string[] }[];
  /** The person's latest words were judged: recorded, and chosen from. */
  isDecided: boolean;
  /** CONFIRM: the values were read back. */
  isReadBack: boolean;
  /** The engine has said words of the stage in this turn. */
  hasSpoken: boolean;
  /** Messages of the person before the stage. */
  heardAtEntry: number;
}

export interface TurnRequest {
  messages: ModelMessage[];
  tools: ToolOffer[];
  /** Fields that the conversation should find out; a model may use them to plan its questions. */
  outputs: OutputDefinition[];
  /** BCP 47, such as en-US. */
  language: string;
  /** Absent in a dialogue without stages. */
  stage?: StageTurn;
  signal: AbortSignal;
}

/** Name of the tool by which a model records what the stage asks for. */
export const RECORD_FIELDS = "record_fields";
/** Name of the tool by which a model chooses what the person's words mean. */
export const CHOOSE_EDGE = "choose_edge";
/** Choice of none of the meanings. */
export const NO_EDGE = "none";

/** Tokens that a model counted. */
export interface TokenUsage {
  inputTokens: number;
  /** The part of the input tokens that the provider had kept of an earlier request, and bills for less; absent: none. */
  cachedTokens?: number;
  outputTokens: number;
}

/** Adds tokens to a sum. */
export function addUsage(sum: TokenUsage, { inputTokens, cachedTokens = 0, outputTokens }: TokenUsage): void {
  sum.inputTokens += inputTokens;
  sum.outputTokens += outputTokens;
  if (cachedTokens > 0) sum.cachedTokens = (sum.cachedTokens ?? 0) + cachedTokens;
}

/** Adds the tokens of a request to `sum`, also when it fails. */
export async function addUsageOf<Answer extends TokenUsage>(
  request: Promise<Answer>,
  sum: TokenUsage,
): Promise<Answer> {
  try {
    const answer = await request;
    addUsage(sum, answer);
    return answer;
  } catch (thrown) {
    addUsage(sum, usageOf(thrown));
    throw thrown;
  }
}

/** Returns the tokens that a failed request used, which its error has as `usage`; none when it does not say. */
export function usageOf(thrown: unknown): TokenUsage {
  const { usage } = (thrown ?? {}) as { usage?: TokenUsage };
  return usage ?? { inputTokens: 0, outputTokens: 0 };
}

/**
 * Streamed pieces of one turn. `USAGE` follows the words; a retried turn has it twice, and a cut one has `TRUNCATED`
 * after it.
 */
export type ModelPiece =
  /**
   * Schema of what the turn asks for, before its words; null: anything may be said. A model that does not plan its
   * questions omits it.
   */
  | { kind: "EXPECTS"; schema: JsonSchema | null }
  /**
   * The outputs' fields as far as the model has understood them, by name, for those who watch; not validated. A model
   * that fills outputs only when it is asked to omits it.
   */
  | { kind: "FIELDS"; fields: Record<string, unknown> }
  | { kind: "TEXT"; text: string }
  | { kind: "TOOL_CALL"; call: ToolCall }
  /** The model works but has nothing to show yet: it reasons, or writes the arguments of a call. */
  | { kind: "ALIVE" }
  /** The provider cut the turn at its token limit, so its last words may be half a sentence. */
  | { kind: "TRUNCATED" }
  | ({ kind: "USAGE" } & TokenUsage);

export interface ExtractRequest {
  messages: ModelMessage[];
  output: OutputDefinition;
  /** All fields that the conversation should find out, as in `TurnRequest`; they explain what each question was for. */
  outputs: OutputDefinition[];
  language: string;
  /** Faults of the first try, for the one repair. */
  faults: string[];
  /** Values that the stages of the dialogue recorded; absent in a dialogue without stages. */
  recorded?: Record<string, unknown>;
  signal: AbortSignal;
}

/** Models that are fallbacks for each other. The caller keeps track of which part of an answer was used already. */
export interface ModelChain {
  /** Returns the models in the order in which to ask them: those that failed lately come last. */
  inOrder(): LanguageModel[];
  /** Records a failure; `next` is the model that is asked instead, null when none is left. */
  noteFailure(failed: LanguageModel, next: LanguageModel | null, error: Error): void;
}

/** A model that takes turns in a conversation and fills schemas. Both operations honour the signal. */
export interface LanguageModel {
  readonly name: string;
  /** The models behind this one, when it is a chain. */
  readonly chain?: ModelChain;
  /** Gets the whole conversation whatever its length, because its tokens cost nothing. */
  readonly readsAll?: true;
  /** Prepares for a turn that comes soon, such as by connecting to the provider. Never fails. */
  warm?(): void;
  /** Streams the next turn of the agent. */
  respond(request: TurnRequest): AsyncIterable<ModelPiece>;
  /**
   * Returns the value of one structured output as far as the conversation gives it; not yet validated. The error of an
   * answer that is of no use has its tokens as `usage`.
   */
  extract(request: ExtractRequest): Promise<{ value: unknown } & TokenUsage>;
}

/** A model that turns texts into vectors, close to each other when the texts are close in meaning. */
export interface EmbeddingModel {
  readonly name: string;
  /** Returns one vector for each text, in their order, all of the same length. */
  embed(texts: string[], signal: AbortSignal): Promise<number[][]>;
}
