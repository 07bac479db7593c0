import { Table, type TableProps } from "@mantine/core";
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { sidesWithMore } from "./scroll-sides.ts";

interface ScrollBoxProps {
  /** Name of the box for screen readers. */
  label: string;
  children: ReactNode;
  /** True: it can be focused even while all of it is seen. */
  isRegion?: boolean;
  /** Takes the element that scrolls. */
  box?: RefObject<HTMLDivElement | null>;
  style?: CSSProperties;
}

/**
 * A box that scrolls sideways, and fades out on each side on which there is more. It is reached by Tab while it
 * scrolls, so that the arrow keys move it.
 */
export function ScrollBox({ label, children, isRegion = false, box, style }: ScrollBoxProps) {
  const own = useRef<HTMLDivElement>(null);
  const scroller = box ?? own;
  const sides = useSides(scroller);
  const region = isRegion || sides !== "" ? { tabIndex: 0, role: "region", "aria-label": label } : {};
  return (
    <div className="scroll-frame" data-more={sides || undefined}>
      <div ref={scroller} className="scroll-box" style={style} {...region}>
        {children}
      </div>
    </div>
  );
}

/** A table that its screen writes out, in a box of its own. */
export function BoxedTable({ label, className = "", children, ...rest }: TableProps & { label: string }) {
  return (
    <ScrollBox label={label}>
      <Table className={`data-table ${className}`.trim()} aria-label={label} {...rest}>
        {children}
      </Table>
    </ScrollBox>
  );
}

/** Follows the sides on which there is more, as the box is scrolled and it or what it holds changes its width. */
export function useSides(box: RefObject<HTMLDivElement | null>): string {
  const [sides, setSides] = useState("");
  useEffect(() => {
    const scroller = box.current;
    if (!scroller) return;
    const measure = () => setSides(sidesWithMore(scroller));
    const watcher = new ResizeObserver(measure);
    for (const element of [scroller, ...scroller.children]) watcher.observe(element);
    scroller.addEventListener("scroll", measure, { passive: true });
    return () => {
      watcher.disconnect();
      scroller.removeEventListener("scroll", measure);
    };
  }, [box]);
  return sides;
}
