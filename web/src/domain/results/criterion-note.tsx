import { Anchor, Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { Link } from "wouter";
import { nameAmong } from "#web/domain/flow/flow-name.ts";
import { useKnownFlows } from "#web/domain/flow/use-flow-names.ts";
import { t } from "#web/i18n/t.ts";
import { Words } from "#web/ui/words.tsx";
import { flowsWithoutCriterion } from "./criterion.ts";

const MOST = 4;

/** Says what counts where flows define no success, with the way to define it; nothing where all of them do. */
export function CriterionNote({ results }: { results: Results }) {
  const flows = useKnownFlows();
  const without = flowsWithoutCriterion(results);
  if (without.length === 0) return null;
  return (
    <Text fz="xs" c="dimmed" component="div">
      {t`No criterion of success is set: a conversation counts that was completed, that no limit cut off, whose outputs are valid and not all empty, and whose tools worked. Set one for:`}
      {without.slice(0, MOST).map((apiId) => {
        const id = flows.find((flow) => flow.apiId === apiId)?.id;
        const name = <Words>{nameAmong(flows, apiId)}</Words>;
        return (
          <div key={apiId}>
            {id === undefined ? (
              name
            ) : (
              <Anchor component={Link} href={`/flows/${id}?tab=success`} fz="xs" underline="always">
                {name}
              </Anchor>
            )}
          </div>
        );
      })}
      {without.length > MOST && t`and ${without.length - MOST} more`}
    </Text>
  );
}
