import { type ReactNode, useEffect, useRef } from "react";
import { useSides } from "./table/scroll-box.tsx";

/**
 * A row of tabs or links that scrolls sideways where it is too long, with the same sign as a table. What is `chosen`, the
 * element with `data-active` or `aria-current`, is brought into view.
 */
export function ScrollStrip({ chosen, children }: { chosen: string | undefined; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const sides = useSides(box);
  useEffect(() => {
    const scroller = box.current;
    const entry = scroller?.querySelector<HTMLElement>("[data-active], [aria-current]");
    if (scroller && entry) scroller.scrollLeft = entry.offsetLeft - (scroller.clientWidth - entry.offsetWidth) / 2;
  }, [chosen]);
  return (
    <div className="scroll-frame scroll-strip" data-more={sides || undefined}>
      <div ref={box} className="scroll-box">
        {children}
      </div>
    </div>
  );
}
