import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { MediaSource } from "#src/audio/line/media-source.ts";
import type { ShownTurn } from "#src/telephony/carriers/carrier.ts";
import { FRAME_BYTES } from "./messages.ts";
import type { Page, WebCallMedia } from "./web-call-media.ts";

/** Bridge between a page's audio and the port from which the call's media takes it. */
export class AudioWebCall implements WebCallMedia {
  readonly line = null;
  readonly source: MediaSource;
  readonly #page: Page;
  readonly #port: MessagePort;
  #isOver = false;
  #hasLeft = false;
  /** Transcript turns already sent to the page. */
  readonly #shown: string[] = [];

  constructor(page: Page) {
    const { port1, port2 } = new MessageChannel();
    this.#page = page;
    this.#port = port1;
    this.source = { kind: "PORT", port: port2 };
    port1.on("message", (message: unknown) => this.#take(message));
    port1.on("close", () => this.hangUp());
    // A port that nobody took must not keep the process alive.
    port1.unref();
  }

  /** Returns false, because a page with a microphone has no text field. */
  hearText(): boolean {
    return false;
  }

  hearDigits(digits: string): boolean {
    this.#post({ digits });
    return true;
  }

  hearFrame(frame: Uint8Array): void {
    this.#post(new Uint8Array(frame));
  }

  leave(by: "REMOTE" | "LOST"): void {
    if (this.#hasLeft) return;
    if (by === "REMOTE") this.#post({ closed: true });
    this.#hasLeft = true;
    this.#port.close();
  }

  showTurns(turns: readonly ShownTurn[]): void {
    for (const { index, role, content } of turns) {
      if (this.#shown[index] === content) continue;
      this.#shown[index] = content;
      if (role !== "ASSISTANT" && role !== "USER") continue;
      if (!this.#hasLeft && !this.#isOver) this.#page.send({ type: "transcript", index, role, text: content });
    }
  }

  hangUp(): void {
    if (this.#isOver) return;
    this.#post({ closed: true });
    this.#isOver = true;
    this.#port.close();
    if (!this.#hasLeft) this.#page.onHungUp();
  }

  #post(message: unknown): void {
    if (!this.#isOver && !this.#hasLeft) this.#port.postMessage(message);
  }

  #take(message: unknown): void {
    if (this.#hasLeft || this.#isOver) return;
    if (message instanceof Uint8Array) {
      if (message.length === FRAME_BYTES) this.#page.sendFrame(message);
      return;
    }
    const { digits, closed } = message as { digits?: unknown; closed?: unknown };
    if (typeof digits === "string") this.#page.send({ type: "digits", digits });
    if (closed === true) this.hangUp();
  }
}
