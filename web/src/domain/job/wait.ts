const UNITS = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3_600 },
  { name: "min", seconds: 60 },
];

/** Wait in the largest unit that divides it: `30 min`, `2 h`, `45 s`. */
export function formatWait(seconds: number): string {
  const unit = UNITS.find((candidate) => seconds > 0 && seconds % candidate.seconds === 0);
  return unit ? `${seconds / unit.seconds} ${unit.name}` : `${seconds} s`;
}
