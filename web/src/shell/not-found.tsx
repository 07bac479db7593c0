import { Button } from "@mantine/core";
import { useEffect } from "react";
import { Link } from "wouter";
import { EmptyState } from "#web/ui/empty-state.tsx";

/** Page for an unknown address, or one that the person may not see. */
export function NotFound() {
  useEffect(() => {
    document.title = "Not found · Parley";
  }, []);
  return (
    <div>
      <EmptyState
        icon="search"
        title="There is nothing here"
        action={
          <Button component={Link} href="~/">
            Home
          </Button>
        }
      >
        The address is wrong, it was deleted, or it belongs to a workspace that you are not a member of.
      </EmptyState>
    </div>
  );
}
