import { Anchor, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { FoundFields } from "#web/domain/flow/found-fields.tsx";
import { ConversationView } from "#web/domain/simulation/conversation-view.tsx";
import { type Conversation, isRunning, type Simulation, WATCH_MS } from "#web/domain/simulation/simulation.ts";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { FaultNote, LoadingBars } from "#web/ui/load-state.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { TrialRuns } from "./use-trial.ts";

/** The two results of a test side by side. */
export function RunPair({ runs, version, flowId }: { runs: TrialRuns; version: number; flowId: string }) {
  const published = useRun(runs.published);
  const draft = useRun(runs.draft);
  const isScripted = [published.run, draft.run].some((run) => run?.report?.model === "SCRIPTED");
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces: newer browsers return a promise, which React would call as the clean-up when the screen is left.
    top.current?.scrollIntoView({ block: "start" });
  }, [runs]);
  const isBetter = published.run?.state === "FAILED" && draft.run?.state === "PASSED";
  return (
    <Stack gap="sm">
      <div role="status" ref={top} className="sentence-result">
        {isBetter && (
          <Text fz="sm">
            {rich`The draft passes what the published version does not. ${(
              <Anchor component={Link} href={`/flows/${flowId}`} inherit>
                {t`Publish it on the flow's page`}
              </Anchor>
            )}`}
          </Text>
        )}
        {isScripted && (
          <Text fz="sm" c="dimmed">
            {t`The scripted model spoke. It says the first message and asks for the fields, and does not read the prompt.`}
          </Text>
        )}
      </div>
      <SimpleGrid cols={{ base: 1, md: runs.draft === null ? 1 : 2 }} spacing="md">
        <RunCard title={t`Published, version ${version}`} watched={published} other={null} />
        {runs.draft !== null && <RunCard title={t`Draft`} watched={draft} other={published.run ?? null} />}
      </SimpleGrid>
    </Stack>
  );
}

interface Watched {
  run: Simulation | undefined;
  error: Error | null;
}

/** Reads a run until it is over; null: none. */
function useRun(id: string | null): Watched {
  const [overId, setOverId] = useState<string | null>(null);
  const isOver = overId === id;
  const options = { enabled: id !== null, ...(isOver ? {} : { refreshMs: WATCH_MS }) };
  const read = useRead<Simulation>(`/simulations/${id}`, undefined, options);
  const run = read.data?.id === id ? read.data : undefined;
  if (run && !isRunning(run) && !isOver) setOverId(run.id);
  return { run, error: read.error };
}

function RunCard({ title, watched, other }: { title: string; watched: Watched; other: Simulation | null }) {
  const { run, error } = watched;
  const conversation = conversationOf(run);
  const changed = conversation && conversationOf(other) && firstChange(conversationOf(other), conversation);
  return (
    <Card
      title={
        <Group gap="xs">
          {title} {run && !isRunning(run) && <StatusBadge status={run.state} />}
        </Group>
      }
      actions={
        run && (
          <Anchor component={Link} href={`/simulations/${run.id}`} fz="sm" aria-label={t`Open the run: ${title}`}>
            {t`Open the run`}
          </Anchor>
        )
      }
    >
      {error ? (
        <FaultNote error={error} />
      ) : !run || isRunning(run) ? (
        <LoadingBars count={4} />
      ) : (
        <Stack gap="sm">
          {run.error && <FormFault fault={run.error.message} />}
          {typeof changed === "number" && (
            <Text fz="sm" c="dimmed">
              {changed === 0 ? t`Word for word as the published version.` : t`Differs from line ${changed} on.`}
            </Text>
          )}
          {conversation && (
            <>
              <ConversationView conversation={conversation} of={title} />
              <FoundFields outputs={conversation.outputs} />
            </>
          )}
        </Stack>
      )}
    </Card>
  );
}

function conversationOf(run: Simulation | null | undefined): Conversation | undefined {
  return run?.report?.scenarios[0]?.conversations[0];
}

/** Returns the number of the first line, from 1, that differs; 0 when none does. */
function firstChange(before: Conversation | undefined, after: Conversation): number {
  const lines = Math.max(before?.transcript.length ?? 0, after.transcript.length);
  for (let at = 0; at < lines; at++)
    if (before?.transcript[at]?.content !== after.transcript[at]?.content) return at + 1;
  return 0;
}
