import type { Line, Spoken } from "#src/audio/line/line.ts";
import type { AttemptBook } from "./attempt-book.ts";
import type { SandboxTalk } from "./talk.ts";

/**
 * The line of a call by its id. A call that has ended answers as such; one that is unknown, or not answered, or
 * whose audio was opened, is a dropped line.
 */
export function openExchangeLine(book: AttemptBook, providerCallId: string, now: () => number): Line {
  const use = async <Result>(
    work: (talk: SandboxTalk) => Promise<Result>,
    otherwise: () => Result,
  ): Promise<Result> => {
    const known = book.findCall(providerCallId);
    const talk = known?.kind === "LIVE" ? known.call.openTalk() : undefined;
    if (known?.kind !== "LIVE" || !talk) return otherwise();
    known.call.busy++;
    try {
      return await work(talk);
    } finally {
      known.call.busy--;
      known.call.touchedAtMs = now();
    }
  };
  const elapsedMs = (): number => {
    const known = book.findCall(providerCallId);
    if (known?.kind === "LIVE") return known.call.elapsedMs();
    return known?.kind === "ENDED" ? known.elapsedMs : 0;
  };
  const wasHungUp = (): boolean => {
    const known = book.findCall(providerCallId);
    return known?.kind === "ENDED" && known.event.hungUpBy !== "CARRIER";
  };
  const unsaid = (): Spoken => {
    const endMs = elapsedMs();
    const known = book.findCall(providerCallId);
    const hungUp = known?.kind === "ENDED" && known.event.hungUpBy === "CUSTOMER";
    return { heard: "", startMs: endMs, endMs, interrupted: true, hungUp };
  };
  return {
    say: (text, signal) => use((talk) => talk.say(text, signal), unsaid),
    listen: (timeoutMs, signal, wake) =>
      use(
        (talk) => talk.listen(timeoutMs, signal, wake),
        () => ({ kind: wasHungUp() ? "HUNG_UP" : "DROPPED", endMs: elapsedMs() }),
      ),
    transfer: (order, signal) =>
      use(
        (talk) => talk.transfer(order, signal),
        () => ({ kind: "HUNG_UP" }),
      ),
    sendDigits: (digits, signal) =>
      use(
        (talk) => talk.sendDigits(digits, signal),
        () => undefined,
      ),
    hangUp: () =>
      use(
        (talk) => talk.hangUp(),
        () => undefined,
      ),
    elapsedMs,
  };
}
