import { Tooltip } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { formatAgo, formatTime, formatTimeFully, formatUtc } from "./format/format.ts";

const TICK_MS = 30_000;

/** A time in the viewer's time zone; UTC and seconds are in the tooltip. `ago` shows the distance from now instead. */
export function Time({ at, ago = false }: { at: string | null; ago?: boolean }) {
  const [isHovered, setHovered] = useState(false);
  const element = useRef<HTMLTimeElement>(null);
  useTicks(ago);
  if (at === null) return <>–</>;
  return (
    <>
      <time
        ref={element}
        dateTime={at}
        onPointerEnter={() => setHovered(true)}
        onPointerLeave={() => setHovered(false)}
      >
        {ago ? formatAgo(at) : formatTime(at)}
      </time>
      {/* A tooltip for each time of a long list would cost more than the list. It stands beside the time:
          put around it, it would replace the element under the pointer, and a click that had begun there be lost. */}
      {isHovered && <Tooltip opened target={element} label={<TimeLabel at={at} />} />}
    </>
  );
}

/** Redraws a relative time as it changes. */
function useTicks(isOn: boolean): void {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => tick((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isOn]);
}

function TimeLabel({ at }: { at: string }) {
  return (
    <span style={{ display: "block", textAlign: "left" }}>
      {formatTimeFully(at)}
      <br />
      {formatUtc(at)}
    </span>
  );
}
