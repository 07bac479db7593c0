import type { Results } from "@parley/sdk";

/** Dials of one hour of one weekday. */
export type HeatSlot = Results["hours"][number];

/** Number of dials below which a share says little: of nine dials with four answers, 19 % to 73 % may be the truth. */
export const FEW_DIALS = 10;

/** Strongest tint of a cell in percent, at which its text is still readable. */
const MOST_TINT = 50;

/** True where there are too few dials for their share to say much. */
export function hasFewDials({ dials }: Pick<HeatSlot, "dials">): boolean {
  return dials < FEW_DIALS;
}

/** Returns the share that gets the strongest tint. Slots with few dials decide it only where there are no others. */
export function tintScaleOf(slots: HeatSlot[]): number {
  const sure = slots.filter((slot) => !hasFewDials(slot));
  return Math.max(0.01, ...(sure.length > 0 ? sure : slots).map(({ answerRate }) => answerRate ?? 0));
}

/** Returns the tint of a slot in percent, where `most` gets the strongest; half of it where there are few dials. */
export function tintOf(slot: HeatSlot, most: number): number {
  const tint = Math.min(1, (slot.answerRate ?? 0) / most) * MOST_TINT;
  return Math.round(hasFewDials(slot) ? tint / 2 : tint);
}

/** Returns the hours of a day from the first with a dial to the last. */
export function hoursWithDials(slots: HeatSlot[]): number[] {
  const hours = slots.map(({ hour }) => hour);
  const [first, last] = [Math.min(...hours), Math.max(...hours)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}
