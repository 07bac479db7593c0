import { Button } from "@mantine/core";
import { Link } from "wouter";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Page } from "#web/ui/page.tsx";

/** Page for a screen without permission: it names the roles that may open it and links to the members. */
export function NotAllowed({ permission }: { permission: string }) {
  const allowed = permission === "WORKSPACE_ADMIN" ? "owners" : "builders and owners";
  return (
    <Page title="Not for your role">
      <EmptyState
        icon="key"
        title={`Only ${allowed} of the workspace open this`}
        action={
          <Button component={Link} href="/settings/people">
            Who they are
          </Button>
        }
      >
        Ask one of them to do it, or for another role.
      </EmptyState>
    </Page>
  );
}
