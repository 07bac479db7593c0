import type { CallRow } from "@parley/sdk";
import { useState } from "react";
import { isStaleSave } from "#web/api/api-error.ts";
import { markReported } from "#web/api/fault-notes.ts";
import { useWrite } from "#web/api/queries.ts";
import { type FlowDraft, type FlowEditing, type FlowFields, toEditedFields } from "#web/domain/flow/flow.ts";
import type { Simulation } from "#web/domain/simulation/simulation.ts";
import type { Proposal } from "#web/features/calls/use-proposal.ts";
import { t } from "#web/i18n/t.ts";
import { type Changed, isSame } from "./draft-words.ts";
import { toSayings } from "./sentence.ts";

/** Sentences of the agent, one a line. */
export interface Wished {
  says: string;
  neverSays: string;
}

/** Ids of the runs of one test; `draft` is null where there is no draft. */
export interface TrialRuns {
  published: string;
  draft: string | null;
}

/** Request for a trial; `suite` is null until a test was made. */
interface TrialRequest {
  wished: Wished;
  change: Changed<StoredWords>;
  suite: string | null;
}

/** A flow or its draft, as it was read. */
export type StoredWords = FlowFields & { updatedAt: string };

interface TrialProps {
  call: CallRow;
  editing: FlowEditing;
  reload: () => Promise<FlowEditing>;
}

/** Makes a test from a sentence, saves the draft, and runs the test on the published version and on the draft. */
export function useTrial({ call, editing, reload }: TrialProps) {
  const { flow } = editing;
  const [runs, setRuns] = useState<TrialRuns | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [theirs, setTheirs] = useState<StoredWords | null>(null);
  const { proposal, draft, start } = useTrialWrites(call, flow.id);
  const propose = async (wished: Wished) => (await proposal.mutateAsync(wished)).suite;
  /** Saves the words where they differ; returns whether the flow has a draft afterwards. */
  const save = async ({ words, base }: Changed<StoredWords>): Promise<boolean> => {
    if (isSame(words, base)) return editing.draft !== null;
    const { firstMessage, masterPrompt } = words;
    const fields = {
      ...toEditedFields(base),
      firstMessage: firstMessage || null,
      masterPrompt: masterPrompt || null,
    };
    await draft.mutateAsync({ fields, seenAt: base.updatedAt });
    await reload();
    return true;
  };
  const runBoth = async ({ wished, change, suite: made }: TrialRequest): Promise<string> => {
    const suite = made ?? (await propose(wished));
    const hasDraft = await save(change);
    const published = await start.mutateAsync({ suite, of: { flow: flow.id } });
    const drafted = hasDraft ? await start.mutateAsync({ suite, of: { draft: flow.id } }) : null;
    setRuns({ published: published.id, draft: drafted?.id ?? null });
    return suite;
  };
  /** Returns the result of `work`; the fault of one that failed is shown, and `before` is returned. */
  const attempt = async <T>(work: () => Promise<T>, before: T): Promise<T> => {
    setError(null);
    try {
      return await work();
    } catch (fault) {
      if (!isStaleSave(fault)) setError(fault as Error);
      else {
        markReported(fault);
        const { draft: saved, flow: published } = await reload();
        setTheirs(saved ?? published);
      }
      return before;
    }
  };
  return {
    runs,
    error,
    /** The version that somebody else saved before a save of this trial; null once the person chose. */
    theirs,
    choose: () => setTheirs(null),
    isProposing: proposal.isPending,
    isStarting: proposal.isPending || draft.isPending || start.isPending,
    propose: (wished: Wished) => attempt<string | null>(() => propose(wished), null),
    /** Returns the test that was run. */
    run: (request: TrialRequest) => attempt<string | null>(() => runBoth(request), request.suite),
  };
}

function useTrialWrites(call: CallRow, flowId: string) {
  const proposal = useWrite<Proposal, Wished>({
    failed: t`The test was not made`,
    method: "POST",
    path: "/simulations/sentences",
    body: ({ says, neverSays }) => ({ rowId: call.id, says: toSayings(says), neverSays: toSayings(neverSays) }),
  });
  const draft = useWrite<FlowDraft, { fields: FlowFields; seenAt: string }>({
    failed: t`The draft was not saved`,
    method: "PUT",
    path: ({ seenAt }) => `/flows/${flowId}/draft?ifUpdatedAt=${encodeURIComponent(seenAt)}`,
    body: ({ fields }) => fields,
  });
  const start = useWrite<Simulation, { suite: string; of: object }>({
    failed: t`The test was not run`,
    method: "POST",
    path: "/simulations",
    body: ({ suite, of }) => ({ suite, flow: of, compareWith: "none" }),
    refreshes: ["/simulations"],
  });
  return { proposal, draft, start };
}
