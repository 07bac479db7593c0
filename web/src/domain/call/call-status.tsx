import type { CallRow } from "@parley/sdk";
import type { ReactNode } from "react";
import { rich } from "#web/i18n/rich.ts";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { Time } from "#web/ui/time.tsx";
import { type CallWait, waitOf } from "./call-wait.ts";

/** A call's status, with the time at which it is due while it waits for one; `status` is shown else. */
export function CallStatus({ call, status = call.status }: { call: CallRow; status?: string }) {
  const wait = waitOf(call);
  return <StatusBadge status={status} {...(wait ? { label: describe(wait) } : {})} />;
}

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
