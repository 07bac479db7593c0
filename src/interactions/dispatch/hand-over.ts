import type { Line, TransferOrder, TransferResult } from "#src/audio/line/line.ts";
import type { MediaSource } from "#src/audio/line/media-source.ts";
import { type BridgeLeg, bridgeCalls } from "#src/audio/voice/bridge.ts";
import type { VoiceCall, VoiceCallOptions, VoiceCalls } from "#src/audio/voice/voice-calls.ts";
import type { Carrier } from "#src/telephony/carriers/carrier.ts";

/** A call that can be transferred. */
export interface HandedCall {
  carrier: Carrier;
  providerCallId: string;
  voice: VoiceCalls;
  /** Options of its audio. The target hears the same language and voice. */
  options: Pick<VoiceCallOptions, "speech" | "providers" | "language" | "voiceId" | "hints">;
  maxDurationSeconds: number;
  /** Returns its audio, once it is open. */
  person: () => VoiceCall;
  /** True while this process may ring a target for the call, that is, has not lost it to another node. */
  mayRing: () => Promise<boolean>;
}

/**
 * Returns the transfer function of a call: by its carrier, or by bridging a second call to it here; undefined when
 * neither is possible. A carrier that offers both gets the transfers that need no consultation with the target. A
 * target that it cannot reach is tried here.
 */
export function openTransfer(call: HandedCall): Line["transfer"] | undefined {
  const transfer = chooseTransfer(call);
  if (!transfer) return undefined;
  return async (order, signal) => ((await call.mayRing()) ? transfer(order, signal) : NOT_OURS);
}

function chooseTransfer(call: HandedCall): Line["transfer"] | undefined {
  const { carrier, providerCallId } = call;
  const transfer = carrier.transfer?.bind(carrier, providerCallId);
  const bridge = openBridge(call);
  if (!transfer || !bridge) return transfer ?? bridge;
  return async (order, signal) => {
    if (!isPlain(order)) return bridge(order, signal);
    const result = await transfer(order, signal);
    return result.kind === "FAILED" && result.reason === "UNREACHABLE" ? bridge(order, signal) : result;
  };
}

/** True when nothing is to be said, pressed or found out at the target before the parties are joined. */
function isPlain({ mode, dtmfSequence, whisperMessage, transferOnlyIfHuman, sipHeaders }: TransferOrder): boolean {
  const isBare = dtmfSequence === null && whisperMessage === null && !transferOnlyIfHuman;
  return mode === "COLD" && isBare && Object.keys(sipHeaders).length === 0;
}

function openBridge(call: HandedCall): Line["transfer"] | undefined {
  const { carrier, providerCallId } = call;
  if (!carrier.dialLeg) return undefined;
  const dialLeg = carrier.dialLeg.bind(carrier, providerCallId);
  return async (order, signal) => {
    const { consultationIn } = await loadConsultation();
    const room = call.voice.reserve();
    if (!room) return NO_ROOM;
    const result = await bridgeCalls(
      {
        order,
        consultation: consultationIn(call.options.language),
        dialLeg,
        openLeg: (source) => openLeg(call, source),
        leftMs: () => call.maxDurationSeconds * 1_000 - call.person().line.elapsedMs(),
      },
      signal,
    ).finally(room);
    if (result.kind === "TRANSFERRED") await endCall(call);
    return result;
  };
}

const NOT_OURS: TransferResult = {
  kind: "FAILED",
  reason: "UNREACHABLE",
  message: "Another server has taken the call over.",
};

const NO_ROOM: TransferResult = {
  kind: "FAILED",
  reason: "UNREACHABLE",
  message: "This server carries as many calls as it can.",
};

/** Loads the words of five languages when they are first needed: no start waits for them. */
const loadConsultation = () => import("./consultation.ts");

/** Opens the second call. Its speech is billed with the first. */
function openLeg({ voice, options, person }: HandedCall, source: MediaSource): BridgeLeg {
  const first = person();
  const leg = voice.open({
    ...options,
    source,
    endOfTurnMs: null,
    bargeInMs: null,
    recording: null,
    carrierVerdict: null,
    transfer: undefined,
  });
  const ended = leg.ended.then(() => first.line.addLeg(leg.line.used));
  return { line: leg.line, ended, join: () => first.media.join(leg.media) };
}

/** Hangs up the call, so that nobody is left alone on it after the bridge ended. */
async function endCall({ carrier, providerCallId, person }: HandedCall): Promise<void> {
  await person().line.hangUp();
  await carrier.hangUp(providerCallId);
}
