import type { FileHandle } from "node:fs/promises";

/** Sound is written in chunks of this size: some seconds, so that a call costs the disk little. */
export const RECORDING_CHUNK_BYTES = 64 * 1024;

/** Where a recording is written. The header is written again and again, every chunk once; only the last may be short. */
export interface RecordingSink {
  writeHeader(header: Uint8Array): Promise<void>;
  writeChunk(index: number, bytes: Uint8Array): Promise<void>;
  /** Waits until the disk has it. */
  sync(): Promise<void>;
}

/** A recording as a WAV file that any player opens. The file is the caller's to open, empty, and to close. */
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
