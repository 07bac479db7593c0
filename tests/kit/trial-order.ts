import type { TransferOrder } from "#src/audio/line/line.ts";

/** A plain hand-over, for tests: each changes what it is about. */
export const COLD_ORDER: TransferOrder = {
  mode: "COLD",
  destinationType: "PHONE",
  destination: "+12025550100",
  dtmfSequence: null,
  callerId: "OWN",
  whisperMessage: null,
  summary: null,
  holdAudioUrl: null,
  ringTimeoutSeconds: 30,
  transferOnlyIfHuman: false,
  fallbackMessage: null,
  sipHeaders: {},
};
