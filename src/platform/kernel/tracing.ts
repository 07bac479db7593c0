/** Properties of a span: ids, counts, durations and names of models, never a number, name or word of anybody. */
export type SpanAttributes = Record<string, string | number | boolean | undefined>;

/** Facts of a span once it is over. Times are milliseconds since 1970 by `nowMs`. */
export interface SpanEnd {
  name: string;
  /** CLIENT: we asked another service. SERVER: another service asked us. Absent: neither. */
  kind?: "CLIENT" | "SERVER";
  startMs: number;
  endMs: number;
  attributes?: SpanAttributes;
  /** Code of the fault with which it ended; null for none. */
  fault?: string | null;
  /** A span of another trace that this one led to. */
  link?: Span | null;
}

/** A span under way: one step of a call. It has its ids from the beginning, and is recorded when it ends. */
export interface Span {
  /** Value of the header `traceparent` (W3C Trace Context) for requests that belong to this step. */
  readonly traceparent: string;
  /** Returns a span below this one: that of a thing of ours by its id (a UUID), known wherever it is; else a new one. */
  child(ofId?: string): Span;
  /** Records the span. */
  end(end: SpanEnd): void;
}

/**
 * The port of tracing. A process that traces nothing has none (null), so rooms ask `tracer?.`. Each method returns null
 * when the sampler leaves the trace out.
 */
export interface Tracer {
  /**
   * Returns the root span of a call's trace. Its ids are made from the row's id: every node that runs an attempt or
   * delivers a webhook of the call knows the same trace, and nothing is stored for it. An attempt's span is the child of
   * its id.
   */
  ofCall(rowId: string): Span | null;
  /** Returns the span of an attempt as its conversation begins, which counts for the share of calls that is traced. */
  ofConversation(rowId: string, attemptId: string): Span | null;
  /** Returns a span below that of a caller's request, by its header `traceparent`; null without a valid one. */
  ofRequest(traceparent: unknown): Span | null;
  /** Returns the root span of a trace of its own. */
  ofNothing(): Span | null;
}
