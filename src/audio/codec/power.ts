/** Returns the mean square of samples; 0 when there are none. */
export function powerOf(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample ** 2;
  return sum / Math.max(1, samples.length);
}
