/** The language-model port. Adapters live beside this file; nothing here knows a vendor. */

/** A JSON Schema (2020-12) as plain data. */
export type JsonSchema = Record<string, unknown>;

export interface ModelMessage {
  role: "SYSTEM" | "ASSISTANT" | "USER" | "TOOL";
  content: string;
  /** For TOOL: which call this answers. */
  toolCallId?: string;
  /** For ASSISTANT: the calls it made in this message. */
  toolCalls?: ToolCall[];
}

export interface ToolCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

/** A tool as a model sees it. */
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

export interface TurnRequest {
  messages: ModelMessage[];
  tools: ToolOffer[];
  /** What the conversation is meant to find out; a model may use it to plan its questions. */
  outputs: OutputDefinition[];
  /** BCP 47, such as en-US. */
  language: string;
  signal: AbortSignal;
}

/** Streamed pieces of one turn. `USAGE` comes last. */
export type ModelPiece =
  /**
   * What the turn asks for, before its words; null: anything may be said. A model that does not plan its questions
   * leaves it out.
   */
  | { kind: "EXPECTS"; schema: JsonSchema | null }
  | { kind: "TEXT"; text: string }
  | { kind: "TOOL_CALL"; call: ToolCall }
  /** It works, and has nothing to show yet: it reasons, or writes the arguments of a call. */
  | { kind: "ALIVE" }
  /** The provider cut the turn at its limit of tokens: its last words may be half a sentence. */
  | { kind: "TRUNCATED" }
  | { kind: "USAGE"; inputTokens: number; outputTokens: number };

export interface ExtractRequest {
  messages: ModelMessage[];
  output: OutputDefinition;
  /** All that the conversation was meant to find out, as in `TurnRequest`: what each question was for. */
  outputs: OutputDefinition[];
  language: string;
  /** Faults of an earlier try, for the one repair (design section 6). */
  faults: string[];
  signal: AbortSignal;
}

/** Models that stand in for each other. Whoever asks them knows what of an answer was used already. */
export interface ModelChain {
  /** Gives the models in the order in which to ask them: one that failed lately comes last. */
  inOrder(): LanguageModel[];
  /** Takes note of a failure; `next` is asked in its place, null when none is left. */
  noteFailure(failed: LanguageModel, next: LanguageModel | null, error: Error): void;
}

/** A model that talks and fills schemas. Both operations honour the signal. */
export interface LanguageModel {
  readonly name: string;
  /** The models behind this one, where it is several. */
  readonly chain?: ModelChain;
  /** Is told the whole conversation whatever its length, because it costs nothing by the token. */
  readonly readsAll?: true;
  /** The next turn of the agent. */
  respond(request: TurnRequest): AsyncIterable<ModelPiece>;
  /** The value of one structured output as far as the conversation tells it; not yet validated. */
  extract(request: ExtractRequest): Promise<{ value: unknown; inputTokens: number; outputTokens: number }>;
}

/** A model that turns texts into vectors which are close to each other when the texts mean something close. */
export interface EmbeddingModel {
  readonly name: string;
  /** One vector for each text, in their order, all of the same length. */
  embed(texts: string[], signal: AbortSignal): Promise<number[][]>;
}
