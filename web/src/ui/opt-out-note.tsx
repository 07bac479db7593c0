import { Alert, Anchor } from "@mantine/core";
import type { OptOutReviewRef } from "@parley/sdk";
import { Link } from "wouter";

/** Tells of a session whose person may have asked for no more contact, as long as nobody has decided. */
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
