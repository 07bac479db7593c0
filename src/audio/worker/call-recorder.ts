import { mkdir, open, rm, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { FRAME_RATE_HZ } from "#src/audio/codec/frame-codec.ts";
import { countWavHeader } from "#src/audio/codec/wav.ts";
import { createPlainSink, type RecordingSink } from "#src/audio/recording/recording-sink.ts";
import { RecordingWriter, type RecordingSummary } from "#src/audio/recording/recording-writer.ts";
import { createSealedStore } from "#src/audio/recording/sealed-recording.ts";
import type { FrameSink } from "./media-call.ts";

/** Half the size of 16-bit samples, and no loss: telephones speak mu-law. */
const ENCODING = "MU_LAW";
/** Of the 4 s that a chunk lasts, the calls' chunks are written within so many. */
const SPREAD_SAMPLES = 2 * FRAME_RATE_HZ;

/** Where a call is recorded; a key seals the file. */
export interface RecorderPlace {
  path: string;
  key: Uint8Array | null;
}

/** Records both sides of a call while it goes on. */
export interface CallRecorder extends FrameSink {
  /** Writes what is left. Never rejects: a fault of the disk is in the summary. */
  close(): Promise<RecordingSummary>;
}

/**
 * Records a call into a two-channel WAV file, left what the agent said, right what was heard. It opens the file by itself
 * while frames already come; whatever happens to the disk, the call goes on.
 */
export function openCallRecorder({ path, key }: RecorderPlace): CallRecorder {
  const opening = createFile(path);
  const writer = new RecordingWriter(openStore(opening, key), ENCODING, Math.random() * SPREAD_SAMPLES);
  let position = 0;
  return {
    write(heard, said) {
      writer.write(0, position, said, said.length);
      writer.write(1, position, heard, heard.length);
      position += heard.length;
    },
    async close() {
      const summary = await writer.close(position);
      await opening.then((file) => file.close()).catch(() => undefined);
      return summary;
    },
  };
}

/** A file that stands there was begun by a process that is gone; it may not write into the new one. */
async function createFile(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rm(path, { force: true });
  return open(path, "wx", 0o600);
}

/** The store of a file that is not open yet. */
function openStore(opening: Promise<FileHandle>, key: Uint8Array | null): RecordingSink {
  const headerBytes = countWavHeader(ENCODING);
  const store = opening.then((file) =>
    key ? createSealedStore(file, headerBytes, key) : createPlainSink(file, headerBytes),
  );
  return {
    writeHeader: async (header) => (await store).writeHeader(header),
    writeChunk: async (index, bytes) => (await store).writeChunk(index, bytes),
    sync: async () => (await store).sync(),
  };
}
