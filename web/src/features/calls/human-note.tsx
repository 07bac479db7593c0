import { Alert, Anchor } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { Link } from "wouter";

/** Note on a call whose person asked for a human and could not be transferred. */
export function HumanNote({ call }: { call: CallRow }) {
  if (!call.humanRequested) return null;
  return (
    <Alert color="blue" variant="light" title="They asked for a human">
      The call could not be handed over, so somebody has to call them back.{" "}
      <Anchor component={Link} href="/calls?humanRequested=true" fz="sm">
        All such calls
      </Anchor>
    </Alert>
  );
}
