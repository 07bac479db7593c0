import { randomBytes } from "node:crypto";
import {
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer as OtelTracer,
} from "@opentelemetry/api";
import type { IdGenerator } from "@opentelemetry/sdk-trace-base";
import type { Span, SpanEnd, Tracer } from "#src/platform/kernel/tracing.ts";

/** Version, trace, span and flags of the header `traceparent` (W3C Trace Context, 3.2). */
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Gives the SDK the ids of the span that is recorded next. */
export class SpanIds implements IdGenerator {
  next: Pick<SpanContext, "traceId" | "spanId"> = { traceId: "", spanId: "" };
  readonly generateTraceId = (): string => this.next.traceId;
  readonly generateSpanId = (): string => this.next.spanId;
}

/** The port of tracing on the OpenTelemetry SDK, whose sampler, limits and queue it uses. */
export class SpanTracer implements Tracer {
  readonly #tracer: OtelTracer;
  readonly #ids: SpanIds;

  constructor(tracer: OtelTracer, ids: SpanIds) {
    this.#tracer = tracer;
    this.#ids = ids;
  }

  ofCall(rowId: string): Span | null {
    return this.#sampled(contextOf(rowId, rowId), null);
  }

  ofAttempt(rowId: string, attemptId: string): Span | null {
    return this.#sampled(contextOf(rowId, rowId), null)?.below(contextOf(rowId, attemptId)) ?? null;
  }

  ofRequest(traceparent: unknown): Span | null {
    const [, traceId, spanId, flags] = (typeof traceparent === "string" && TRACEPARENT.exec(traceparent)) || [];
    if (!traceId || !spanId || !flags) return null;
    const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
    return this.#sampled({ ...parent, spanId: newSpanId() }, parent);
  }

  ofNothing(): Span | null {
    const traceId = randomBytes(16).toString("hex");
    return this.#sampled({ traceId, spanId: newSpanId(), traceFlags: TraceFlags.SAMPLED }, null);
  }

  /** Records a span that is over. */
  record(context: SpanContext, parent: SpanContext | null, { name, kind, ...end }: SpanEnd): void {
    this.#ids.next = context;
    const { link, fault } = end;
    const links: Link[] = link instanceof RecordedSpan ? [{ context: link.context }] : [];
    const attributes = fault ? { ...end.attributes, "error.type": fault } : (end.attributes ?? {});
    const options = { kind: SpanKind[kind ?? "INTERNAL"], startTime: end.startMs, attributes, links };
    const span = this.#tracer.startSpan(
      name,
      options,
      parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
    );
    if (fault) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(Math.max(end.startMs, end.endMs));
  }

  /** Returns the span, if the sampler takes its trace; it judges by the trace's id, so every node comes to the same. */
  #sampled(context: SpanContext, parent: SpanContext | null): RecordedSpan | null {
    this.#ids.next = context;
    const above = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    if (!this.#tracer.startSpan("call", {}, above).isRecording()) return null;
    return new RecordedSpan(this, { ...context, traceFlags: TraceFlags.SAMPLED, isRemote: false }, parent);
  }
}

class RecordedSpan implements Span {
  readonly context: SpanContext;
  readonly #tracer: SpanTracer;
  readonly #parent: SpanContext | null;

  constructor(tracer: SpanTracer, context: SpanContext, parent: SpanContext | null) {
    this.#tracer = tracer;
    this.context = context;
    this.#parent = parent;
  }

  get traceparent(): string {
    return `00-${this.context.traceId}-${this.context.spanId}-01`;
  }

  child(): Span {
    return this.below({ ...this.context, spanId: newSpanId() });
  }

  below(context: SpanContext): RecordedSpan {
    return new RecordedSpan(this.#tracer, context, this.context);
  }

  end(end: SpanEnd): void {
    this.#tracer.record(this.context, this.#parent, end);
  }
}

/** Returns the context of a span by ids of ours: the random half of a UUID names the span. */
function contextOf(rowId: string, spanOf: string): SpanContext {
  const spanId = spanOf.slice(19).replace("-", "");
  return { traceId: rowId.replaceAll("-", ""), spanId, traceFlags: TraceFlags.SAMPLED };
}

function newSpanId(): string {
  return randomBytes(8).toString("hex");
}
