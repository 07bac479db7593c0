/** Position of a box that scrolls sideways, in pixels. */
interface ScrollPosition {
  scrollLeft: number;
  scrollWidth: number;
  clientWidth: number;
}

/** Returns the sides on which there is more to scroll to: `left`, `right`, both or none. A fraction of a pixel is none. */
export function sidesWithMore({ scrollLeft, scrollWidth, clientWidth }: ScrollPosition): string {
  const hasLeft = scrollLeft >= 1;
  const hasRight = scrollWidth - clientWidth - scrollLeft >= 1;
  return [hasLeft && "left", hasRight && "right"].filter(Boolean).join(" ");
}
