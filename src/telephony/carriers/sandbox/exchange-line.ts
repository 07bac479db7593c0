import type { Line, Spoken } from "#src/audio/line/line.ts";
import type { AttemptRegistry } from "./attempt-registry.ts";
import type { SandboxDialogue } from "./dialogue.ts";
import { attemptIdOf } from "./ended-event.ts";
import { LINE_LOST } from "./transfer-target.ts";

/**
 * Returns the line of a call by its id. A line of a call that has ended reports that end; one of a call that is
 * unknown, not answered, or open as audio is a dropped line.
 */
export function openExchangeLine(registry: AttemptRegistry, providerCallId: string, now: () => number): Line {
  const attemptId = attemptIdOf(providerCallId) ?? "";
  const use = async <Result>(
    work: (dialogue: SandboxDialogue) => Promise<Result>,
    otherwise: () => Result,
  ): Promise<Result> => {
    const known = registry.find(attemptId);
    const dialogue = known?.kind === "LIVE" ? known.call.openDialogue() : undefined;
    if (known?.kind !== "LIVE" || !dialogue) return otherwise();
    known.call.busy++;
    try {
      return await work(dialogue);
    } finally {
      known.call.busy--;
      known.call.touchedAtMs = now();
    }
  };
  const elapsedMs = (): number => {
    const known = registry.find(attemptId);
    if (known?.kind === "LIVE") return known.call.elapsedMs();
    return known?.kind === "ENDED" ? known.elapsedMs : 0;
  };
  const wasHungUp = (): boolean => {
    const known = registry.find(attemptId);
    return known?.kind === "ENDED" && known.event.hungUpBy !== "CARRIER";
  };
  const unsaid = (): Spoken => {
    const endMs = elapsedMs();
    const known = registry.find(attemptId);
    const hungUp = known?.kind === "ENDED" && known.event.hungUpBy === "CUSTOMER";
    return { heard: "", startMs: endMs, endMs, interrupted: true, hungUp };
  };
  return {
    say: (text, signal) => use((dialogue) => dialogue.say(text, signal), unsaid),
    listen: (timeoutMs, signal, wake) =>
      use(
        (dialogue) => dialogue.listen(timeoutMs, signal, wake),
        () => ({ kind: wasHungUp() ? "HUNG_UP" : "DROPPED", endMs: elapsedMs() }),
      ),
    transfer: (order, signal) =>
      use(
        (dialogue) => dialogue.transfer(order, signal),
        () => (wasHungUp() ? { kind: "HUNG_UP" } : LINE_LOST),
      ),
    sendDigits: (digits, signal) =>
      use(
        (dialogue) => dialogue.sendDigits(digits, signal),
        () => undefined,
      ),
    hangUp: () =>
      use(
        (dialogue) => dialogue.hangUp(),
        () => undefined,
      ),
    elapsedMs,
  };
}
