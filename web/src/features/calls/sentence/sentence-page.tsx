import { Anchor, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { Link, useParams } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import type { FlowEditing } from "#web/domain/flow/flow.ts";
import { useFlowNames } from "#web/domain/flow/use-flow-names.ts";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { FaultNote, LoadingBars } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { Words } from "#web/ui/words.tsx";
import "#web/domain/flow/flow.css";
import { SentenceWorkbench } from "./sentence-workbench.tsx";

/** Page on which a line of a call becomes a test and a change of its flow, run on the published version and the draft. */
export function SentencePage() {
  const { rowId = "", index = "" } = useParams();
  const read = useRead<CallRow>(`/call-rows/${rowId}`);
  const call = read.data?.id === rowId ? read.data : undefined;
  const mayWrite = useMay("FLOWS_WRITE");
  const flowId = call?.flowId ?? null;
  const editing = useRead<FlowEditing>(`/flows/${flowId}/editing`, undefined, { enabled: flowId !== null });
  const flow = editing.data?.flow.id === flowId ? editing.data : undefined;
  const error = read.error ?? editing.error;
  const why = call ? whyNot(call, mayWrite) : null;
  return (
    <Page
      title={t`From a sentence to a better flow`}
      lead={call && <FlowOf call={call} published={flow?.flow.version ?? null} />}
      back={{ href: `/calls/${rowId}`, label: t`Call` }}
    >
      {error ? (
        <FaultNote error={error} retry={() => void Promise.all([read.refetch(), editing.refetch()])} />
      ) : why !== null ? (
        <Text fz="sm" c="dimmed">
          {why}
        </Text>
      ) : call && flow ? (
        <SentenceWorkbench
          key={`${rowId} ${index}`}
          call={call}
          index={Number(index)}
          editing={flow}
          reload={async () => (await editing.refetch()).data ?? flow}
        />
      ) : (
        <LoadingBars />
      )}
    </Page>
  );
}

/** Returns why nothing can be tried with this call; null when it can. */
function whyNot(call: CallRow, mayWrite: boolean): string | null {
  if (!mayWrite) return t`Your role reads flows. Somebody who may change them can test and fix this line.`;
  if (call.flowId === null)
    return t`The flow of this call was sent along with it, so there is no draft to change. Make a test of the call instead.`;
  return call.endedAt === null ? t`The call is not over yet.` : null;
}

function FlowOf({ call, published }: { call: CallRow; published: number | null }) {
  const nameOf = useFlowNames();
  if (call.flowId === null) return null;
  return (
    <>
      <Anchor component={Link} href={`/flows/${call.flowId}`} inherit>
        <Words>{call.flowApiId === null ? t`The flow` : nameOf(call.flowApiId)}</Words>
      </Anchor>
      {rich`, held with version ${call.flowVersion}`}
      {published !== null && published !== call.flowVersion && t`; version ${published} is published now`}
    </>
  );
}
