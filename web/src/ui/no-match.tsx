import { Button } from "@mantine/core";
import { EmptyState } from "./empty-state.tsx";

/** Content of a list when no row matches its filters. */
export function NoMatch({ what, clear }: { what: string; clear: () => void }) {
  return (
    <EmptyState
      icon="filter"
      title={`No ${what} fits these filters`}
      action={
        <Button variant="default" onClick={clear}>
          Clear filters
        </Button>
      }
    >
      Take a filter away to see more.
    </EmptyState>
  );
}
