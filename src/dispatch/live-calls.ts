import type { TalkNotes } from "#src/conversation/notes.ts";
import type { VoiceCall } from "#src/voice/voice-calls.ts";

/** The calls of this process, for those who listen in or whisper. */
export class LiveCalls {
  readonly #audio = new Map<string, VoiceCall>();
  readonly #notes = new Map<string, TalkNotes>();

  /** Adds a call whose audio is open; the function that is given takes it out. */
  enter(workspaceId: string, rowId: string, call: VoiceCall): () => void {
    return add(this.#audio, workspaceId, rowId, call);
  }

  /** Adds a conversation whose agent reads notes; the function that is given takes it out. */
  enterTalk(workspaceId: string, rowId: string, notes: TalkNotes): () => void {
    return add(this.#notes, workspaceId, rowId, notes);
  }

  /** The audio of a row's call; undefined when it has none in this process. */
  find(workspaceId: string, rowId: string): VoiceCall | undefined {
    return this.#audio.get(keyOf(workspaceId, rowId));
  }

  /** The notes of a row's conversation, in audio or in text; undefined when this process holds none. */
  findNotes(workspaceId: string, rowId: string): TalkNotes | undefined {
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
