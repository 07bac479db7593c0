import { open, rm, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { countWavHeader } from "#src/audio/codec/wav.ts";
import { createPlainSink, type RecordingSink } from "#src/audio/recording/recording-sink.ts";
import { RecordingWriter, type RecordingSummary } from "#src/audio/recording/recording-writer.ts";
import { createSealedStore } from "#src/audio/recording/sealed-recording.ts";
import { makeFolder } from "#src/platform/files/folder.ts";
import { within } from "#src/platform/kernel/async.ts";
import { Turns } from "#src/platform/kernel/turns.ts";
import type { FrameSink } from "./media-call.ts";

/** Half the size of 16-bit samples without loss, because telephones use mu-law. */
const ENCODING = "MU_LAW";
/** Span over which the calls' writes are spread, of the 4 s that a chunk lasts. */
const SPREAD_SAMPLES = 2 * VOICE_RATE_HZ;

/**
 * Operations on the disk that run at once. A disk that hangs keeps the thread of each, of which the process has few for
 * all files, names of hosts and sums; the audio of further calls waits in memory and is then lost.
 */
const disk = new Turns({ slots: 4 });
/** Longest time for the last writes, so that a disk that hangs holds neither the call's row nor its number. */
const CLOSE_MS = 5_000;

/** File of a call's recording; a key seals it. */
export interface RecorderPlace {
  path: string;
  key: Uint8Array | null;
}

/** Records both sides of a call while it goes on. */
export interface CallRecorder extends FrameSink {
  /** Writes the rest. Never rejects: a disk fault is in the summary. */
  close(): Promise<RecordingSummary>;
}

/**
 * Records a call into a two-channel WAV file, left the agent, right the person. It opens the file itself while frames
 * already arrive; a disk fault never ends the call.
 */
export function openCallRecorder({ path, key }: RecorderPlace): CallRecorder {
  const opening = disk.run("", () => createFile(path));
  const writer = new RecordingWriter(openStore(opening, key), ENCODING, Math.random() * SPREAD_SAMPLES);
  let position = 0;
  return {
    write(heard, said) {
      writer.write(0, position, said, said.length);
      writer.write(1, position, heard, heard.length);
      position += heard.length;
    },
    async close() {
      const closing = writer.close(position);
      // In the background: a disk that hangs closes no file.
      void closing.then(async () => (await opening).close()).catch(() => undefined);
      return (await within(closing, CLOSE_MS)) ?? writer.abandon(new Error("ETIMEDOUT: the disk does not answer"));
    },
  };
}

/** Creates the file. An existing file was begun by a dead process, which must not write into the new one. */
async function createFile(path: string): Promise<FileHandle> {
  await makeFolder(dirname(path));
  await rm(path, { force: true });
  return open(path, "wx", 0o600);
}

/** Returns the sink of a file that is not open yet. */
function openStore(opening: Promise<FileHandle>, key: Uint8Array | null): RecordingSink {
  const headerBytes = countWavHeader(ENCODING);
  const store = opening.then((file) =>
    key ? createSealedStore(file, headerBytes, key) : createPlainSink(file, headerBytes),
  );
  const write = async (step: (sink: RecordingSink) => Promise<void>) => {
    const sink = await store;
    await disk.run("", () => step(sink));
  };
  return {
    writeHeader: (header) => write((sink) => sink.writeHeader(header)),
    writeChunk: (index, bytes) => write((sink) => sink.writeChunk(index, bytes)),
    sync: () => write((sink) => sink.sync()),
  };
}
