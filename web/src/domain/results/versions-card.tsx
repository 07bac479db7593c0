import { Stack, Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { useFlowNames } from "#web/domain/flow/use-flow-names.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { Words } from "#web/ui/words.tsx";
import type { Drill } from "./drill.ts";
import { sayVerdict } from "./verdict.ts";
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
          <Text key={comparison.flowApiId} fz="sm" fw={comparison.verdict === "BETTER" ? 600 : 400}>
            <Words>{nameOf(comparison.flowApiId)}</Words>: {sayVerdict(comparison, versions)}
          </Text>
        ))}
        <VersionsTable results={results} toCalls={toCalls} />
      </Stack>
    </Card>
  );
}
