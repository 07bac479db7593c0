import { Tooltip } from "@mantine/core";
import { formatAgo, formatTime, formatTimeFully, formatUtc } from "#web/format/format.ts";

/** A moment in the viewer's zone; UTC and seconds in the tooltip. `ago` tells the distance instead. */
export function Time({ at, ago = false }: { at: string | null; ago?: boolean }) {
  if (at === null) return <>–</>;
  return (
    <Tooltip label={<TimeLabel at={at} />}>
      <time dateTime={at} style={{ whiteSpace: "nowrap" }}>
        {ago ? formatAgo(at) : formatTime(at)}
      </time>
    </Tooltip>
  );
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
