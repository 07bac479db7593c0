import { Badge } from "@mantine/core";
import type { ReactNode } from "react";
import { formatName } from "./format/format.ts";
import { TONE_COLOR, toneOf } from "./statuses.ts";

/** Badge of a state in its colour; states under way have a pulsing dot. */
export function StatusBadge({ status, label }: { status: string; label?: ReactNode }) {
  const tone = toneOf(status);
  return (
    <Badge
      variant="light"
      color={TONE_COLOR[tone]}
      radius="sm"
      size="md"
      tt="none"
      fw={550}
      className="status"
      leftSection={<span className={tone === "busy" ? "dot dot-busy" : "dot"} />}
    >
      {label ?? formatName(status)}
    </Badge>
  );
}
