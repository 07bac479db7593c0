import { Stack } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { useFlowNames } from "#web/domain/flow/use-flow-names.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import type { Drill } from "./drill.ts";
import { VerdictLine } from "./verdict-line.tsx";
import { VersionsTable } from "./versions-table.tsx";

/** Versions of flows side by side, with what the calls show of them. */
export function VersionsCard({ results, toCalls }: { results: Results; toCalls: (drill: Drill) => string }) {
  const { versions, verdicts } = results;
  const nameOf = useFlowNames();
  if (versions.length === 0) return null;
  return (
    <Card title={t`Flows and versions`}>
      <Stack gap="sm">
        {verdicts.map((comparison) => (
          <VerdictLine
            key={comparison.flowApiId}
            comparison={comparison}
            results={results}
            name={nameOf(comparison.flowApiId)}
          />
        ))}
        <VersionsTable results={results} toCalls={toCalls} />
      </Stack>
    </Card>
  );
}
