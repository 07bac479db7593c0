import { expect, test, vi } from "vitest";
import { planWith } from "#kit/trial-session.ts";
import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { AmdVerdict, AmdWatch, Heard, Line, Spoken } from "#src/audio/line/line.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import { runSession } from "./session.ts";

/** An event on the line and its time in the call. */
type Happening = { atMs: number } & (
  | { verdict: AmdVerdict["answeredBy"]; confidence: number }
  | { messageDue: "BEEP" | "SILENCE" }
  | { text: string }
  | { hungUp: true }
);

const SPEECH_MS = 40;

/** A live line on which events happen at set times, by a clock that advances only while the conversation waits. */
class HappeningLine implements Line, AmdWatch {
  readonly isLive = true;
  readonly answers = this;
  readonly said: { text: string; atMs: number; heard: string }[] = [];
  verdict: AmdVerdict | null = null;
  messageDue: "BEEP" | "SILENCE" | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #left: Happening[];
  #ms = 0;

  constructor(happenings: Happening[]) {
    this.#left = [...happenings];
  }

  onChange(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener));
  }

  async say(text: string, signal: AbortSignal): Promise<Spoken> {
    const startMs = this.#ms;
    const endMs = startMs + text.length * SPEECH_MS;
    const heard = await this.#pass(endMs, signal);
    const cut = this.#ms < endMs;
    this.said.push({ text, atMs: startMs, heard: cut ? "" : text });
    const hungUp = heard?.kind === "HUNG_UP";
    return { heard: cut ? text.slice(0, 5) : text, startMs, endMs: this.#ms, interrupted: cut, hungUp };
  }

  async listen(timeoutMs: number, signal: AbortSignal, wake?: AbortSignal): Promise<Heard> {
    const untilMs = this.#ms + timeoutMs;
    const either = wake ? AbortSignal.any([signal, wake]) : signal;
    return (await this.#pass(untilMs, either)) ?? { kind: "SILENCE", endMs: this.#ms };
  }

  async sendDigits(): Promise<void> {}

  async hangUp(): Promise<void> {}

  elapsedMs(): number {
    return this.#ms;
  }

  async #pass(untilMs: number, signal: AbortSignal): Promise<Heard | null> {
    for (;;) {
      await Promise.resolve();
      if (signal.aborted) return null;
      const next = this.#left[0];
      if (!next || next.atMs > untilMs) break;
      this.#left.shift();
      this.#ms = Math.max(this.#ms, next.atMs);
      if ("text" in next) return { kind: "SPEECH", text: next.text, startMs: this.#ms, endMs: this.#ms };
      if ("hungUp" in next) return { kind: "HUNG_UP", endMs: this.#ms };
      if ("messageDue" in next) this.messageDue = next.messageDue;
      else {
        const { verdict: answeredBy, confidence } = next;
        this.verdict = { answeredBy, confidence, decidedAfterMs: next.atMs, reason: "WORDS" };
      }
      for (const listener of this.#listeners) listener();
    }
    this.#ms = Math.max(this.#ms, untilMs);
    return null;
  }
}

async function hold(happenings: Happening[], answeredBy: AnsweredBy = "UNCERTAIN") {
  const line = new HappeningLine(happenings);
  const outcome = await runSession(
    planWith({ firstMessage: "Hello, this is the clinic with a reminder for you." }),
    {
      line,
      model: createScriptedModel(),
      now: () => new Date("2026-11-21T10:00:00Z"),
      validate: validateAgainst,
      answeredBy,
      onTurn: () => undefined,
      addToDoNotCall: vi.fn<() => Promise<void>>(async () => undefined),
    },
    new AbortController().signal,
  );
  return { line, outcome };
}

const MESSAGE = "Please call Green Street Clinic back.";

test("a voicemail that shows itself while the agent talks gets its message after the beep, not before", async () => {
  const { line, outcome } = await hold([
    { atMs: 2_000, verdict: "MACHINE_VOICEMAIL", confidence: 0.9 },
    { atMs: 4_000, text: "please leave a message after the tone" },
    { atMs: 7_000, messageDue: "BEEP" },
  ]);
  expect(outcome.endReason).toBe("AGENT_LEFT_VOICEMAIL");
  expect(line.said[0]).toMatchObject({ heard: "", text: expect.stringContaining("Hello") as string });
  expect(line.said.at(-1)).toEqual({ text: MESSAGE, atMs: 7_000, heard: MESSAGE });
});

test("a message that was begun before a late beep is said again after it", async () => {
  const { line, outcome } = await hold(
    [
      { atMs: 3_000, messageDue: "SILENCE" },
      { atMs: 4_000, messageDue: "BEEP" },
    ],
    "MACHINE_VOICEMAIL",
  );
  expect(outcome.endReason).toBe("AGENT_LEFT_VOICEMAIL");
  expect(line.said.map(({ text }) => text)).toEqual([MESSAGE, MESSAGE]);
});

test("a mailbox that never records is given up", async () => {
  const { line, outcome } = await hold([], "MACHINE_VOICEMAIL");
  expect(outcome.endReason).toBe("AGENT_HUNG_UP_ON_MACHINE");
  expect(line.said).toEqual([]);
  expect(line.elapsedMs()).toBeGreaterThanOrEqual(90_000);
  expect(line.elapsedMs()).toBeLessThan(100_000);
});

test("a person who is only suspected of being a machine is talked to", async () => {
  const { line, outcome } = await hold([
    { atMs: 500, verdict: "MACHINE_VOICEMAIL", confidence: 0.6 },
    { atMs: 6_000, text: "hello" },
    { atMs: 12_000, text: "yes" },
    { atMs: 18_000, text: "three" },
  ]);
  expect(outcome.endReason).toBe("AGENT_ENDED_CALL");
  expect(line.said[0]?.heard).toContain("reminder");
});

test("a fax that shows itself ends the call at once", async () => {
  const { line, outcome } = await hold([{ atMs: 1_500, verdict: "FAX", confidence: 0.96 }]);
  expect(outcome.endReason).toBe("AGENT_HUNG_UP_ON_MACHINE");
  expect(line.elapsedMs()).toBeLessThan(2_000);
});

test("people greet first: the opening comes after their hello", async () => {
  const { line } = await hold([
    { atMs: 800, text: "Hello?" },
    { atMs: 20_000, hungUp: true },
  ]);
  expect(line.said[0]).toMatchObject({ atMs: 800 });
});
