const LOUDEST = 32_767;

/** Adds one frame to another; sums beyond the loudest level are clipped. */
export function mixInto(frame: Int16Array, added: Int16Array): void {
  for (let i = 0; i < frame.length; i++) {
    const sum = (frame[i] as number) + (added[i] as number);
    frame[i] = sum > LOUDEST ? LOUDEST : sum < -LOUDEST ? -LOUDEST : sum;
  }
}
