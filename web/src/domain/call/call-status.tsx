import { Box, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import type { ReactNode } from "react";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { Time } from "#web/ui/time.tsx";
import { type CallWait, type WaitKind, waitOf } from "./call-wait.ts";

/**
 * A call's status, with the time at which it is due while it waits for one; `status` is shown else. On a phone or
 * a tablet that time is below the badge, which says only what is waited for.
 */
export function CallStatus({ call, status = call.status }: { call: CallRow; status?: string }) {
  const wait = waitOf(call);
  if (!wait) return <StatusBadge status={status} />;
  const label = (
    <>
      <Box component="span" visibleFrom="md">
        {describe(wait)}
      </Box>
      <Box component="span" hiddenFrom="md">
        {BRIEF[wait.kind]}
      </Box>
    </>
  );
  return (
    <span>
      <StatusBadge status={status} label={label} />
      <Text component="span" display="block" fz="xs" c="dimmed" hiddenFrom="md" className="due-below">
        <Time at={wait.at} />
      </Text>
    </span>
  );
}

const BRIEF: Record<WaitKind, string> = {
  CALLBACK: t`[call] Callback`,
  RETRY: t`[call] Retry`,
  WINDOW: t`[call] Calling hours`,
  START: t`Due`,
};

function describe({ kind, at }: CallWait): ReactNode {
  const time = <Time at={at} />;
  switch (kind) {
    case "CALLBACK":
      return rich`Callback due ${time}`;
    case "RETRY":
      return rich`Retry due ${time}`;
    case "WINDOW":
      return rich`Calling hours from ${time}`;
    default:
      return rich`Due ${time}`;
  }
}
