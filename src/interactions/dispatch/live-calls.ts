import type { VoiceCall } from "#src/audio/voice/voice-calls.ts";
import type { SupervisorNotes } from "#src/engine/conversation/supervisor-notes.ts";

/** Calls of this process, for those who listen in, whisper, or end them. */
export class LiveCalls {
  readonly #audio = new Map<string, VoiceCall>();
  readonly #notes = new Map<string, SupervisorNotes>();
  readonly #ringing = new Map<string, () => void>();

  /** Number of calls; a call may be counted more than once. */
  get size(): number {
    return this.#notes.size + this.#ringing.size;
  }

  /** True when the audio of a call is open. */
  get hasAudio(): boolean {
    return this.#audio.size > 0;
  }

  /** Returns how loud the calls of a workspace were since the last request, by row, as `LevelMeter` writes it. */
  takeLevels(workspaceId: string): Record<string, string> {
    const prefix = keyOf(workspaceId, "");
    const levels: Record<string, string> = {};
    for (const [key, { line }] of this.#audio)
      if (key.startsWith(prefix)) levels[key.slice(prefix.length)] = line.levels.take();
    return levels;
  }

  /** True when this process holds a row's call, answered or not. */
  has(workspaceId: string, rowId: string): boolean {
    const key = keyOf(workspaceId, rowId);
    return this.#notes.has(key) || this.#ringing.has(key);
  }

  /** Adds a call whose audio is open; returns the function that removes it. */
  enter(workspaceId: string, rowId: string, call: VoiceCall): () => void {
    return add(this.#audio, workspaceId, rowId, call);
  }

  /** Adds a conversation whose agent reads notes; returns the function that removes it. */
  enterConversation(workspaceId: string, rowId: string, notes: SupervisorNotes): () => void {
    return add(this.#notes, workspaceId, rowId, notes);
  }

  /** Adds a call that is not answered yet, with the function that gives it up; returns the function that removes it. */
  enterRinging(workspaceId: string, rowId: string, giveUp: () => void): () => void {
    return add(this.#ringing, workspaceId, rowId, giveUp);
  }

  /** Ends a row's call, answered or not; false when this process does not hold it. */
  end(workspaceId: string, rowId: string): boolean {
    const key = keyOf(workspaceId, rowId);
    const notes = this.#notes.get(key);
    const giveUp = this.#ringing.get(key);
    notes?.end();
    giveUp?.();
    return notes !== undefined || giveUp !== undefined;
  }

  /** Returns the audio of a row's call; undefined when it has none in this process. */
  find(workspaceId: string, rowId: string): VoiceCall | undefined {
    return this.#audio.get(keyOf(workspaceId, rowId));
  }

  /** Returns the notes of a row's conversation, in audio or in text; undefined when this process holds none. */
  findNotes(workspaceId: string, rowId: string): SupervisorNotes | undefined {
    return this.#notes.get(keyOf(workspaceId, rowId));
  }
}

function add<Value>(map: Map<string, Value>, workspaceId: string, rowId: string, value: Value): () => void {
  const key = keyOf(workspaceId, rowId);
  map.set(key, value);
  return () => {
    if (map.get(key) === value) map.delete(key);
  };
}

function keyOf(workspaceId: string, rowId: string): string {
  return `${workspaceId}|${rowId}`;
}
