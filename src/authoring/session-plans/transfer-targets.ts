import type { FlowFields } from "#src/authoring/flows/flows.ts";
import type { TransferTarget } from "#src/engine/conversation/plan.ts";

type TargetFields = NonNullable<FlowFields["transferTargets"]>[number];

const DEFAULT_RING_SECONDS = 30;

/** A flow's transfer target in the form that a session uses. */
export function toTransferTarget(target: TargetFields): TransferTarget {
  return {
    name: target.name,
    description: target.description ?? "",
    wantsSummary: target.summaryToAgent ?? false,
    order: {
      mode: target.mode ?? "COLD",
      destinationType: target.destinationType ?? "PHONE",
      destination: target.destination,
      dtmfSequence: target.dtmfSequence ?? null,
      callerId: target.callerId ?? "OWN",
      whisperMessage: target.whisperMessage ?? null,
      summary: null,
      holdAudioUrl: target.holdAudioUrl ?? null,
      ringTimeoutSeconds: target.ringTimeoutSeconds ?? DEFAULT_RING_SECONDS,
      transferOnlyIfHuman: target.transferOnlyIfHuman ?? false,
      fallbackMessage: target.fallbackMessage ?? null,
      sipHeaders: target.sipHeaders ?? {},
    },
  };
}
