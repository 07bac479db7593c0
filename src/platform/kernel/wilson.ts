const Z_95 = 1.959963984540054;

/** Returns the 95 % confidence interval of a true share by the Wilson score, rounded to four decimals. */
export function wilsonInterval(hits: number, tries: number): { low: number; high: number } {
  if (tries === 0) return { low: 0, high: 1 };
  const share = hits / tries;
  const z2 = Z_95 ** 2;
  const centre = share + z2 / (2 * tries);
  const margin = Z_95 * Math.sqrt((share * (1 - share)) / tries + z2 / (4 * tries ** 2));
  const scale = 1 + z2 / tries;
  const low = hits === 0 ? 0 : (centre - margin) / scale;
  const high = hits === tries ? 1 : (centre + margin) / scale;
  return { low: round(low), high: round(high) };
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
