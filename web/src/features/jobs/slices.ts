import { toneOf, type Tone } from "#web/ui/statuses.ts";
import { colorOf } from "./job-bar.tsx";

const SHADES: Record<Tone, string[]> = {
  good: ["green.6", "teal.5", "green.3"],
  bad: ["red.6", "red.4", "grape.6", "grape.4"],
  warning: ["orange.5", "yellow.5", "orange.3", "yellow.3"],
  busy: ["parley.5", "parley.3"],
  waiting: ["yellow.5", "yellow.3"],
  neutral: ["gray.5", "gray.6", "blue.4", "cyan.5", "gray.4"],
};

/** An outcome with its count and its colour. */
export interface Slice {
  name: string;
  count: number;
  color: string;
}

/** Gives each outcome a colour of its tone; colours repeat only when the tone has no more. */
export function toSlices(outcomes: { outcome: string; count: number }[]): Slice[] {
  const used = new Map<Tone, number>();
  return outcomes.map(({ outcome, count }) => {
    const tone = toneOf(outcome);
    const index = used.get(tone) ?? 0;
    used.set(tone, index + 1);
    const shades = SHADES[tone];
    return { name: outcome, count, color: colorOf(shades[index % shades.length] ?? "gray.5") };
  });
}
