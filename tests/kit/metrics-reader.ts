/** A metric as `/metrics` shows it. */
export interface ShownMetric {
  type: string;
  help: string;
  /** Names of the labels of its samples; `le` of histograms is left out. */
  labels: Set<string>;
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

const TYPE = /^# TYPE (\S+) (\S+)$/;
const HELP = /^# HELP (\S+) (.*)$/;
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Parses Prometheus' text format: metrics by name. Throws for a line that is none of it. */
export function parseMetrics(text: string): Map<string, ShownMetric> {
  const shown = new Map<string, ShownMetric>();
  let help = "";
  let current: ShownMetric | undefined;
  for (const line of text.split("\n").filter(Boolean)) {
    const [, , words] = HELP.exec(line) ?? [];
    const [, name, type] = TYPE.exec(line) ?? [];
    if (words !== undefined) help = words;
    else if (name !== undefined && type !== undefined) {
      current = { type, help, labels: new Set(), samples: [] };
      shown.set(name, current);
    } else {
      const [, sample, inner = "", value] = SAMPLE.exec(line) ?? [];
      if (sample === undefined || !current) throw new Error(`This is no line of metrics: ${line}`);
      const labels = Object.fromEntries([...inner.matchAll(LABEL)].map(([, key = "", of = ""]) => [key, of]));
      current.samples.push({ name: sample, labels, value: Number(value) });
      for (const label of Object.keys(labels)) if (label !== "le") current.labels.add(label);
    }
  }
  return shown;
}

/** Returns the sum of the samples of this name that have these labels. */
export function sumOf(shown: Map<string, ShownMetric>, name: string, labels: Record<string, string> = {}): number {
  const samples = [...shown.values()].flatMap((metric) => metric.samples.filter((sample) => sample.name === name));
  return samples
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
