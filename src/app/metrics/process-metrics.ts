import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Audio } from "#src/app/speech.ts";
import type { SpokenLatency } from "#src/audio/line/line.ts";
import { aheadMs } from "#src/platform/kernel/clock.ts";

/** Buckets in seconds: people find an answer within 0.8 s prompt, and take the line for dead after 2 s. */
const ANSWER_BUCKETS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1, 1.5, 2, 3, 5, 10];
const STAGES: [stage: string, field: keyof SpokenLatency][] = [
  ["endpointing", "endpointingMs"],
  ["stt", "sttMs"],
  ["thinking", "thinkingMs"],
  ["tts", "ttsMs"],
  ["transport", "transportMs"],
  ["total", "totalMs"],
];

/** Sources of the metrics of the process. */
export interface ProcessMetricsParts extends Pick<Audio, "host" | "voice"> {
  /** Returns the number of calls that this process holds. */
  liveCalls: () => number;
}

let ofNode: Registry | undefined;

/** Registers the metrics of Node, begun once for a process: their observers are never let go, nor is what these reach. */
function registerNodeMetrics(registry: Registry): void {
  if (!ofNode) collectDefaultMetrics({ register: (ofNode = new Registry()) });
  for (const { name } of ofNode.getMetricsAsArray()) {
    const metric = ofNode.getSingleMetric(name);
    if (metric) registry.registerMetric(metric);
  }
}

/** Registers the metrics of the process, its calls, its media thread, and the latency of answers. */
export function registerProcessMetrics(registry: Registry, { liveCalls, host, voice }: ProcessMetricsParts): void {
  const registers = [registry];
  registerNodeMetrics(registry);
  const show = (name: string, help: string, read: () => number): void => {
    const gauge: Gauge = new Gauge({ name, help, registers, collect: (): void => gauge.set(read()) });
  };
  show("parley_live_calls", "Calls that this process holds.", liveCalls);
  show("parley_audio_calls", "Calls whose audio this process carries.", () => host.load.calls);
  show(
    "parley_audio_lateness_seconds",
    "How late the frames of audio leave, 99 of 100 within it, in the last second.",
    () => host.load.lateness.p99Ms / 1_000,
  );
  const foreign: Counter = new Counter({
    name: "parley_rtp_foreign_packets_total",
    help: "Packets of RTP that were not heard because they came from an address that was not signalled.",
    registers,
    collect(): void {
      foreign.reset();
      foreign.inc(host.load.foreignPackets);
    },
  });
  show(
    "parley_clock_offset_seconds",
    "How far this machine's clock is ahead of the database's, which everything goes by. Beyond 5 s, set it right.",
    () => aheadMs() / 1_000,
  );
  const waits = new Histogram({
    name: "parley_answer_latency_seconds",
    help: "From the end of a person's speech to the first sound of the answer, by stage.",
    labelNames: ["stage"] as const,
    buckets: ANSWER_BUCKETS,
    registers,
  });
  voice.onAnswered((latency) => {
    for (const [stage, field] of STAGES) waits.observe({ stage }, latency[field] / 1_000);
  });
}
