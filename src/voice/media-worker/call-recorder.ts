import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { createPlainStore, type RecordingStore } from "#src/media/recording-store.ts";
import { type RecordingSummary, RecordingWriter } from "#src/media/recording-writer.ts";
import { createSealedStore } from "#src/media/sealed-recording.ts";
import { countWavHeader } from "#src/media/wav.ts";
import { FRAME_SAMPLES } from "#src/voice/speech-ports.ts";
import type { FrameSink } from "./media-call.ts";

/** Where a call is recorded to. */
export interface RecorderOptions {
  /** The file; its folder is made. */
  path: string;
  /** 32 bytes, for a recording that is sealed; null: plain. */
  key: Uint8Array | null;
}

/** A recording under way. */
export interface CallRecorder extends FrameSink {
  /** Writes what is left. Never rejects: a fault of the disk is in the summary. */
  close(): Promise<RecordingSummary>;
}

/**
 * Records a call: the left channel is the agent, the right the person. The file is opened while the first frames are
 * already taken, so nobody waits for the disk.
 */
export function openCallRecorder(options: RecorderOptions): CallRecorder {
  const file = openFile(options);
  // Its fault is told by each write.
  file.catch(() => undefined);
  const writer = new RecordingWriter(createLateStore(file), "MU_LAW");
  let position = 0;
  return {
    write(heard, said) {
      writer.write(0, position, said, FRAME_SAMPLES);
      writer.write(1, position, heard, FRAME_SAMPLES);
      position += FRAME_SAMPLES;
    },
    async close() {
      const summary = await writer.close(position);
      await file.then(({ handle }) => handle.close()).catch(() => undefined);
      return summary;
    },
  };
}

interface OpenFile {
  handle: FileHandle;
  store: RecordingStore;
}

async function openFile({ path, key }: RecorderOptions): Promise<OpenFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, "w", 0o600);
  const headerBytes = countWavHeader("MU_LAW");
  const store = key ? await createSealedStore(handle, headerBytes, key) : createPlainStore(handle, headerBytes);
  return { handle, store };
}

function createLateStore(file: Promise<OpenFile>): RecordingStore {
  return {
    writeHeader: async (header) => (await file).store.writeHeader(header),
    writeChunk: async (index, bytes) => (await file).store.writeChunk(index, bytes),
    sync: async () => (await file).store.sync(),
  };
}
