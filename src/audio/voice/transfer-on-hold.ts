import type { Line, TransferOrder, TransferResult } from "#src/audio/line/line.ts";
import { holdChime } from "#src/audio/tones/hold-sound.ts";

/** Dependencies of a transfer. */
export interface HeldTransfer {
  media: { hold(sound: Int16Array | null): void };
  transfer: NonNullable<Line["transfer"]>;
  /** Fetches a hold sound; null when it is unavailable. Never rejects. */
  loadHoldSound?: (url: string) => Promise<Int16Array | null>;
  /** Aborts when the person has gone. */
  gone: AbortSignal;
}

/** Transfers the call: the person is on hold meanwhile, and back when the transfer failed. */
export async function transferOnHold(
  { media, transfer, loadHoldSound, gone }: HeldTransfer,
  order: TransferOrder,
  signal: AbortSignal,
): Promise<TransferResult> {
  if (gone.aborted) return { kind: "HUNG_UP" };
  let isOver = false;
  media.hold(holdChime());
  if (order.holdAudioUrl !== null) {
    void loadHoldSound?.(order.holdAudioUrl).then((sound) => {
      if (sound && !isOver) media.hold(sound);
    });
  }
  try {
    const result = await transfer(order, AbortSignal.any([signal, gone]));
    if (result.kind === "FAILED" && gone.aborted) return { kind: "HUNG_UP" };
    if (result.kind === "FAILED") media.hold(null);
    return result;
  } catch (error) {
    media.hold(null);
    throw error;
  } finally {
    isOver = true;
  }
}
