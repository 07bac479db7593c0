import { Badge, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useAllRows } from "#web/api/all-rows.ts";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import type { Flow, FlowEditing, FlowVersion, FlowVersionEntry, Split } from "#web/domain/flow/flow.ts";
import { sayShares } from "#web/domain/flow/split-words.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";
import { DiffList } from "./diff-list.tsx";

/** All published versions, newest first, each with its changes and a way to restore it. */
export function Versions({ editing: { flow, splits } }: { editing: FlowEditing }) {
  const read = useAllRows<FlowVersionEntry>(`/flows/${flow.id}/versions`);
  const [shown, show] = useState<number | null>(null);
  const restore = useRestore(flow, splits);
  return (
    <Card padded={false} title={t`Versions`}>
      <Loaded read={read}>
        {(versions) => (
          <ol className="versions">
            {versions.map((entry) => (
              <li key={entry.id}>
                <VersionLine entry={entry} show={() => show(entry.version)} restore={() => restore(entry.version)} />
              </li>
            ))}
          </ol>
        )}
      </Loaded>
      {shown !== null && <VersionDialog flow={flow} version={shown} close={() => show(null)} />}
    </Card>
  );
}

function VersionLine(props: { entry: FlowVersionEntry; show: () => void; restore: () => void }) {
  const { entry, show, restore } = props;
  const mayWrite = useMay("FLOWS_WRITE");
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <div className="shrink">
        <Group gap="xs">
          <Text component="span" fz="sm" fw={600}>
            {`v${entry.version}`}
          </Text>
          {entry.published && (
            <Badge size="sm" radius="sm" variant="light" color="green" tt="none">
              {t`published`}
            </Badge>
          )}
          <Text component="span" fz="xs" c="dimmed">
            <Time at={entry.createdAt} />
            {entry.createdBy && (
              <>
                {t` by `}
                <Words>{entry.createdBy}</Words>
              </>
            )}
          </Text>
        </Group>
        {entry.note && (
          <Text fz="sm" className="break">
            <Words>{entry.note}</Words>
          </Text>
        )}
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button size="compact-sm" variant="default" onClick={show} aria-label={t`Compare version ${entry.version}`}>
          {t`Compare`}
        </Button>
        {mayWrite && !entry.published && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={restore}
            aria-label={t`Restore version ${entry.version}`}
          >
            {t`Restore`}
          </Button>
        )}
      </Group>
    </Group>
  );
}

function VersionDialog({ flow, version, close }: { flow: Flow; version: number; close: () => void }) {
  const read = useRead<FlowVersion>(`/flows/${flow.id}/versions/${version}`);
  const isFirst = version === 1;
  const before = useRead<FlowVersion>(`/flows/${flow.id}/versions/${version - 1}`, undefined, { enabled: !isFirst });
  const isLatest = version === flow.version;
  return (
    <Modal opened onClose={close} size="xl" title={<Text fw={600}>{t`Version ${version}`}</Text>}>
      <Loaded read={read}>
        {(own) => (
          <Stack>
            {!isFirst && before.data && (
              <>
                <Text fz="sm" c="dimmed">
                  {t`What it changed in version ${version - 1}`}
                </Text>
                <DiffList before={before.data} after={own} same={t`It says the same as the version before.`} />
              </>
            )}
            {!isLatest && (
              <>
                <Text fz="sm" c="dimmed">
                  {t`What changed from it to version ${flow.version}, which is published`}
                </Text>
                <DiffList before={own} after={flow} same={t`It says the same as what is published.`} />
              </>
            )}
            {isFirst && isLatest && (
              <Text fz="sm" c="dimmed">
                {t`There is no other version yet to compare it with.`}
              </Text>
            )}
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}

function useRestore(flow: Flow, splits: Split[] | null): (version: number) => void {
  const ask = useConfirm();
  const write = useWrite<Flow, number>({
    failed: (version) => t`Version ${version} was not restored`,
    method: "POST",
    path: (version) => `/flows/${flow.id}/versions/${version}/restore`,
    body: () => ({}),
    refreshes: ["/flows"],
  });
  const published = t`What it says is published at once as version ${flow.version + 1}, and every new session takes it. A draft stays as it is.`;
  const restore = async (version: number) => {
    const isSure = await ask({
      title: t`Restore version ${version}?`,
      body: splits ? `${published} ${t`That ends the traffic split: ${sayShares(splits)}.`}` : published,
      action: t`Restore`,
    });
    if (!isSure) return;
    const made = await write.mutateAsync(version);
    showDone(t`Version ${made.version} says what version ${version} said.`);
  };
  return (version) => void restore(version).catch(showFault);
}
