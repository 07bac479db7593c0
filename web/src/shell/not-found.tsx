import { Button } from "@mantine/core";
import { useEffect } from "react";
import { Link } from "wouter";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";

/** Page for an unknown address, or one that the person may not see. */
export function NotFound() {
  useEffect(() => {
    document.title = t`Not found · Parley`;
  }, []);
  return (
    <div>
      <EmptyState
        icon="search"
        title={t`There is nothing here`}
        action={
          <Button component={Link} href="~/">
            {t`Home`}
          </Button>
        }
      >
        {t`The address is wrong, it was deleted, or it belongs to a workspace that you are not a member of.`}
      </EmptyState>
    </div>
  );
}
