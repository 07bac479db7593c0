import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { vi } from "vitest";

type Attributes = Record<string, unknown>;

/** A span as a collector gets it; times are milliseconds since 1970. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  /** By OTLP: 1 internal, 2 server, 3 client. */
  kind: number;
  startMs: number;
  endMs: number;
  attributes: Attributes;
  links: { traceId: string; spanId: string }[];
  isFault: boolean;
}

interface Value {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
  boolValue?: boolean;
}

interface Pair {
  key: string;
  value: Value;
}

type Json = Record<string, unknown>;

/** An OTLP receiver (http/json): keeps what it gets. */
export class OtlpCollector implements AsyncDisposable {
  readonly spans: CollectedSpan[] = [];
  readonly metrics = new Map<string, Json>();
  readonly logs: { level: string; body: string; attributes: Attributes }[] = [];
  /** Attributes of the process, as it last named them. */
  resource: Attributes = {};
  headers: IncomingHttpHeaders = {};
  requests = 0;
  /** Texts of all bodies. */
  text = "";
  /** Every answer waits for it. */
  gate: Promise<unknown> = Promise.resolve();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<OtlpCollector> {
    const server = createServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      request.on("end", () => {
        self.#take(text, request.headers);
        void self.gate.then(() => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const self: OtlpCollector = new OtlpCollector(server);
    return self;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  /** Sets the environment of a process that sends to it; `vi.unstubAllEnvs` takes it back. Returns what was set. */
  stubEnvironment(more: Record<string, string> = {}): Record<string, string> {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: this.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_BSP_SCHEDULE_DELAY: "50",
      ...more,
    };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    return env;
  }

  /** Returns the spans of a trace. */
  trace(traceId: string): CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  /** Waits until a trace has its root and as many spans of a name as wanted. */
  async untilTraced(traceId: string, name = "call", count = 1): Promise<CollectedSpan[]> {
    for (const deadline = performance.now() + 20_000; ;) {
      const spans = this.trace(traceId);
      const isWhole = spans.some((span) => span.parentSpanId === undefined);
      if (isWhole && spans.filter((span) => span.name === name).length >= count) return spans;
      if (performance.now() > deadline) throw new Error(`Of the trace came ${JSON.stringify(spans)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #take(text: string, headers: IncomingHttpHeaders): void {
    this.requests++;
    this.headers = headers;
    this.text += text;
    const { resourceSpans = [], resourceMetrics = [], resourceLogs = [] } = JSON.parse(text) as Record<string, Json[]>;
    for (const { resource, scopeSpans } of resourceSpans as {
      resource: { attributes: Pair[] };
      scopeSpans: Json[];
    }[]) {
      this.resource = toRecord(resource.attributes);
      for (const { spans } of scopeSpans) this.spans.push(...(spans as Json[]).map(toSpan));
    }
    for (const { scopeMetrics } of resourceMetrics as { scopeMetrics: { metrics: Json[] }[] }[]) {
      for (const { metrics } of scopeMetrics)
        for (const metric of metrics) this.metrics.set(String(metric.name), metric);
    }
    for (const { scopeLogs } of resourceLogs as { scopeLogs: { logRecords: Json[] }[] }[]) {
      for (const { logRecords } of scopeLogs) {
        for (const { severityText, body, attributes } of logRecords) {
          const { stringValue = "" } = body as Value;
          this.logs.push({
            level: String(severityText),
            body: stringValue,
            attributes: toRecord(attributes as Pair[]),
          });
        }
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }
}

function toSpan(span: Json): CollectedSpan {
  return {
    traceId: String(span.traceId),
    spanId: String(span.spanId),
    parentSpanId: span.parentSpanId as string | undefined,
    name: String(span.name),
    kind: Number(span.kind),
    startMs: toMs(span.startTimeUnixNano),
    endMs: toMs(span.endTimeUnixNano),
    attributes: toRecord(span.attributes as Pair[]),
    links: (span.links as CollectedSpan["links"]) ?? [],
    isFault: (span.status as { code?: number }).code === 2,
  };
}

/** Nanoseconds as text have more digits than a number keeps. */
function toMs(nanoseconds: unknown): number {
  return Number(BigInt(String(nanoseconds)) / 1_000n) / 1_000;
}

function toRecord(pairs: Pair[] = []): Attributes {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [
      key,
      value.stringValue ?? value.doubleValue ?? value.boolValue ?? Number(value.intValue),
    ]),
  );
}
