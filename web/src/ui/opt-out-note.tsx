import { Alert, Anchor } from "@mantine/core";
import type { OptOutReviewRef } from "@parley/sdk";
import { Link } from "wouter";

/** Note on a session whose person may have opted out, until it is decided. */
export function OptOutNote({ review }: { review: OptOutReviewRef | null }) {
  if (review?.state !== "OPEN") return null;
  return (
    <Alert color="orange" variant="light" title="They may have asked for no more contact">
      Nobody calls or writes to them until somebody decides.{" "}
      <Anchor component={Link} href="/settings/opt-out-reviews" fz="sm">
        Decide it
      </Anchor>
    </Alert>
  );
}
