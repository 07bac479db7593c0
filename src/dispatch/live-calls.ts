import type { VoiceCall } from "#src/voice/voice-calls.ts";

/** The calls of this process whose audio is open, for those who listen in. */
export class LiveCalls {
  readonly #calls = new Map<string, VoiceCall>();

  /** Adds a call; the function that is given takes it out. */
  enter(workspaceId: string, rowId: string, call: VoiceCall): () => void {
    const key = `${workspaceId}|${rowId}`;
    this.#calls.set(key, call);
    return () => void this.#calls.delete(key);
  }

  /** The audio of a row's call; undefined when it has none in this process. */
  find(workspaceId: string, rowId: string): VoiceCall | undefined {
    return this.#calls.get(`${workspaceId}|${rowId}`);
  }
}
