import { Button } from "@mantine/core";
import { Link } from "wouter";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Page } from "#web/ui/page.tsx";

/** Page for a screen without permission: it names the roles that may open it and links to the members. */
export function NotAllowed({ permission }: { permission: string }) {
  const allowed = permission === "WORKSPACE_ADMIN" ? t`owners` : t`builders and owners`;
  return (
    <Page title={t`Not for your role`}>
      <EmptyState
        icon="key"
        title={t`Only ${allowed} of the workspace open this`}
        action={
          <Button component={Link} href="/settings/people">
            {t`Who they are`}
          </Button>
        }
      >
        {t`Ask one of them to do it, or for another role.`}
      </EmptyState>
    </Page>
  );
}
