import { Button } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "./empty-state.tsx";

/** Content of a list when no row matches its filters. */
export function NoMatch({ title, clear }: { title: string; clear: () => void }) {
  return (
    <EmptyState
      icon="filter"
      title={title}
      action={
        <Button variant="default" onClick={clear}>
          {t`Clear filters`}
        </Button>
      }
    >
      {t`Take a filter away to see more.`}
    </EmptyState>
  );
}
