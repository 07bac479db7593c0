import { Button, Group, Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { useWrite } from "#web/api/queries.ts";
import { notifyResult, showUndo } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import type { Split } from "#web/domain/flow/flow.ts";
import { sayShares } from "#web/domain/flow/split-words.ts";
import { useKnownFlows } from "#web/domain/flow/use-flow-names.ts";
import { takesAll, useShares } from "#web/domain/flow/use-shares.ts";
import { t } from "#web/i18n/t.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import { Words } from "#web/ui/words.tsx";
import { sayVerdict } from "./verdict.ts";

type Verdict = Results["verdicts"][number];

/** Says what the calls show of two versions of a flow; where one is better, it can be given every new session. */
export function VerdictLine(props: { comparison: Verdict; results: Results; name?: string }) {
  const { comparison, results, name } = props;
  const isBetter = comparison.verdict === "BETTER";
  return (
    <Group gap="sm">
      <Text fz="sm" fw={isBetter ? 600 : 400}>
        {name !== undefined && (
          <>
            <Words>{name}</Words>
            {": "}
          </>
        )}
        {sayVerdict(comparison, results)}
      </Text>
      {isBetter && <GiveEverything {...comparison} />}
    </Group>
  );
}

function GiveEverything({ flowApiId, version }: Verdict) {
  const mayWrite = useMay("FLOWS_WRITE");
  const flow = useKnownFlows().find(({ apiId }) => apiId === flowApiId);
  const shares = useShares(flow);
  const ask = useConfirm();
  const write = useWrite<unknown, { to: Split[]; before: Split[] }>({
    failed: t`The shares were not saved`,
    method: "PUT",
    path: `/flows/${flow?.id ?? ""}/split`,
    body: ({ to, before }) => ({ splits: toStored(to), before: { splits: toStored(before) } }),
    refreshes: ["/flows"],
  });
  // Every session takes the published version where nothing is split.
  const toStored = (splits: Split[]) => (flow && takesAll(splits, flow.version) ? null : splits);
  if (!mayWrite || !flow || !shares) return null;
  if (takesAll(shares, version)) {
    return (
      <Text fz="sm" c="dimmed">
        {t`It takes every new session.`}
      </Text>
    );
  }
  const all = [{ version, percent: 100 }];
  const give = async () => {
    const isSure = await ask({
      title: t`Give version ${version} everything?`,
      body: t`Every new call and chat of this flow takes version ${version}. Now the shares are: ${sayShares(shares)}. What has begun goes on with its own version, and no version is deleted.`,
      action: t`Give version ${version} everything`,
    });
    if (!isSure) return;
    notifyResult(write.mutateAsync({ to: all, before: shares }), () =>
      showUndo(t`Version ${version} takes every new session.`, () => write.mutateAsync({ to: shares, before: all })),
    );
  };
  return (
    <Button size="compact-sm" loading={write.isPending} onClick={() => void give()}>
      {t`Give version ${version} everything`}
    </Button>
  );
}
