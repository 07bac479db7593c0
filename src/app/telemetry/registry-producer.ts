import { type HrTime, ValueType } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";
import type { MetricObjectWithValues, MetricValueWithName, Registry } from "prom-client";

type Family = MetricObjectWithValues<MetricValueWithName<string>>;
type Value = MetricValueWithName<string>;

/** Gives the metrics that `/metrics` shows to the SDK, under the same names and labels. */
export class RegistryProducer implements MetricProducer {
  readonly #registry: Registry;
  readonly #resource: Resource;
  readonly #startTime = toHrTime(Date.now());

  constructor(registry: Registry, resource: Resource) {
    this.#registry = registry;
    this.#resource = resource;
  }

  async collect(): Promise<CollectionResult> {
    const families: Family[] = await this.#registry.getMetricsAsJSON();
    const times = { startTime: this.#startTime, endTime: toHrTime(Date.now()) };
    const metrics = families.filter(({ values }) => values.length > 0).map((family) => toMetric(family, times));
    return {
      resourceMetrics: { resource: this.#resource, scopeMetrics: [{ scope: { name: "parley" }, metrics }] },
      errors: [],
    };
  }
}

interface Times {
  startTime: HrTime;
  endTime: HrTime;
}

function toMetric(family: Family, times: Times): MetricData {
  const { name, help: description, values } = family;
  const descriptor = { name, description, unit: "", valueType: ValueType.DOUBLE };
  const base = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  const dataPoints = values.map(({ value, labels }) => ({ ...times, attributes: { ...labels }, value }));
  // Declared as an enum, prom-client gives the types as words.
  switch (family.type as unknown) {
    case "counter":
      return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
    case "histogram":
      return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: toHistograms(name, values, times) };
    default:
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
  }
}

/** Joins the values of a histogram by their labels; Prometheus counts each bucket with all smaller ones. */
function toHistograms(name: string, values: Value[], times: Times): DataPoint<Histogram>[] {
  const series = Map.groupBy(values, ({ labels: { le: _le, ...labels } }) => JSON.stringify(labels));
  return [...series].map(([labels, own]) => {
    const valueOf = (suffix: string) => own.find(({ metricName }) => metricName === name + suffix)?.value ?? 0;
    const buckets = own.filter(({ metricName }) => metricName === `${name}_bucket`);
    const counts = buckets.map(({ value }, i) => value - (buckets[i - 1]?.value ?? 0));
    const boundaries = buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite);
    const value = { buckets: { boundaries, counts }, sum: valueOf("_sum"), count: valueOf("_count") };
    return { ...times, attributes: JSON.parse(labels) as Record<string, string>, value };
  });
}

function toHrTime(ms: number): HrTime {
  return [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)];
}
