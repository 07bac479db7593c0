import { Group, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { type ReactNode, useMemo } from "react";
import { t } from "#web/i18n/t.ts";
import { withoutBidi } from "#web/ui/format/bidi.ts";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { failedTools } from "./call.ts";

/** A call's state in a list, with a small mark for each tool trouble and wish for a human, which the state hides. */
export function WithMarks({ call, children }: { call: CallRow; children: ReactNode }) {
  const failed = useMemo(() => failedTools(call.transcript), [call.transcript]);
  return (
    <Group gap={6} wrap="nowrap" component="span">
      {children}
      {failed.length > 0 && <Mark icon="tool" color="red" says={t`Tool failed: ${withoutBidi(failed.join(", "))}`} />}
      {call.humanRequested && <Mark icon="user" color="blue" says={t`They asked for a human`} />}
    </Group>
  );
}

function Mark({ icon, color, says }: { icon: IconName; color: "red" | "blue"; says: string }) {
  return (
    <Text component="span" role="img" aria-label={says} title={says} c={`var(--mantine-color-${color}-text)`} lh={0}>
      <Icon name={icon} size={14} />
    </Text>
  );
}
