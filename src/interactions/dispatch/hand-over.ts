import type { Line, TransferOrder, TransferResult } from "#src/audio/line/line.ts";
import type { MediaSource } from "#src/audio/line/media-source.ts";
import { type BridgeLeg, bridgeCalls } from "#src/audio/voice/bridge.ts";
import type { VoiceCall, VoiceCallOptions, VoiceCalls } from "#src/audio/voice/voice-calls.ts";
import { phrasesFor } from "#src/engine/conversation/phrases.ts";
import { lexiconFor } from "#src/engine/models/scripted/lexicon.ts";
import { parseYesNo } from "#src/engine/models/scripted/understand/intent.ts";
import type { Carrier } from "#src/telephony/carriers/carrier.ts";

/** A call that may be handed over. */
export interface HandedCall {
  carrier: Carrier;
  providerCallId: string;
  voice: VoiceCalls;
  /** How its audio is opened. The target is spoken to in the same language and voice. */
  options: Pick<VoiceCallOptions, "speech" | "providers" | "language" | "voiceId" | "hints">;
  maxDurationSeconds: number;
  /** Its audio, once it is open. */
  person: () => VoiceCall;
  /** True while this process may ring somebody for the call: it has not lost it to another node. */
  mayRing: () => Promise<boolean>;
}

/**
 * How a call is handed over: by its carrier, or by joining a second call to it here; undefined where neither can be. A
 * carrier that offers both is asked to do what needs no word with the target; what it does not reach is tried here.
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

/** Nothing is to be said to the target, pressed or found out before the parties are joined. */
function isPlain({ mode, dtmfSequence, whisperMessage, transferOnlyIfHuman, sipHeaders }: TransferOrder): boolean {
  const isBare = dtmfSequence === null && whisperMessage === null && !transferOnlyIfHuman;
  return mode === "COLD" && isBare && Object.keys(sipHeaders).length === 0;
}

function openBridge(call: HandedCall): Line["transfer"] | undefined {
  const { carrier, providerCallId } = call;
  if (!carrier.dialLeg) return undefined;
  const dialLeg = carrier.dialLeg.bind(carrier, providerCallId);
  return async (order, signal) => {
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

function consultationIn(language: string) {
  const lexicon = lexiconFor(language);
  return {
    question: phrasesFor(language).takeCall,
    understand: (text: string) => parseYesNo(text, lexicon),
  };
}

/** What is spoken and heard on the second call is billed with the first. */
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
  const ended = leg.ended.then(() => {
    first.line.used.speechSeconds += leg.line.used.speechSeconds;
    first.line.used.transcriptionSeconds += leg.line.used.transcriptionSeconds;
  });
  return { line: leg.line, ended, join: () => first.media.join(leg.media) };
}

/** Whoever is left alone on a joined call hears it end. */
async function endCall({ carrier, providerCallId, person }: HandedCall): Promise<void> {
  await person().line.hangUp();
  await carrier.hangUp(providerCallId);
}
