/** A part of a file: from byte `start` to before byte `end`. */
export interface FileSpan {
  start: number;
  end: number;
}

/** A file of known length, of which parts are read as often as called. */
export interface StoredFile {
  byteLength: number;
  read(span: FileSpan): AsyncIterable<Uint8Array>;
}

/** A place of files, by paths relative to it. */
export interface FileStore {
  /** Opens a file as long as it is now; null when there is none. */
  open(path: string): Promise<StoredFile | null>;
  /** Deletes a file; returns false when it is known that there was none. */
  remove(path: string): Promise<boolean>;
}
