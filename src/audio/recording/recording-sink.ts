import type { FileHandle } from "node:fs/promises";

/** Bytes of a chunk: some seconds of audio, so that a call costs few disk writes. */
export const RECORDING_CHUNK_BYTES = 64 * 1024;

/**
 * Destination of a recording. The header is rewritten repeatedly, every chunk once; only the last chunk may be short.
 */
export interface RecordingSink {
  writeHeader(header: Uint8Array): Promise<void>;
  writeChunk(index: number, bytes: Uint8Array): Promise<void>;
  /** Waits until the data is on disk. */
  sync(): Promise<void>;
}

/** Writes a recording as a WAV file that any player opens. The caller opens the file, empty, and closes it. */
export function createPlainSink(file: FileHandle, headerBytes: number): RecordingSink {
  return {
    writeHeader: (header) => writeAt(file, header, 0),
    writeChunk: (index, bytes) => writeAt(file, bytes, headerBytes + index * RECORDING_CHUNK_BYTES),
    sync: () => file.datasync(),
  };
}

/** Writes all the bytes at a place of a file, in as many steps as the system needs. */
export async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
