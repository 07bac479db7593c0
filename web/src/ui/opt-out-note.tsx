import { Alert, Anchor } from "@mantine/core";
import type { OptOutReviewRef } from "@parley/sdk";
import { Link } from "wouter";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";

/** Note on a session whose person may have opted out, until it is decided. */
export function OptOutNote({ review }: { review: OptOutReviewRef | null }) {
  if (review?.state !== "OPEN") return null;
  return (
    <Alert color="orange" variant="light" title={t`They may have asked for no more contact`}>
      {rich`Nobody calls or writes to them until somebody decides. ${(
        <Anchor component={Link} href="/settings/opt-out-reviews" fz="sm">
          {t`Decide it`}
        </Anchor>
      )}`}
    </Alert>
  );
}
