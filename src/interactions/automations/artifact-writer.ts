import type { Executor } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { type ArtifactRow, insertArtifact, insertArtifactChunk } from "./artifact-sql.ts";

const CHUNK_BYTES = 1024 * 1024;
/** Upper limit of an artifact's size: a table of some two million calls. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Writes one artifact piece by piece in its run's transaction. It exists once `close` is called. */
export class ArtifactWriter {
  readonly #tx: Executor;
  readonly #workspaceId: string;
  readonly #id = uuidv7();
  #texts: string[] = [];
  #waitingBytes = 0;
  #position = 0;
  #sizeBytes = 0;

  constructor(tx: Executor, workspaceId: string) {
    this.#tx = tx;
    this.#workspaceId = workspaceId;
  }

  /** Adds text; a full piece is stored at once, so memory stays flat. */
  async write(text: string): Promise<void> {
    this.#texts.push(text);
    this.#waitingBytes += Buffer.byteLength(text);
    if (this.#waitingBytes >= CHUNK_BYTES) await this.#flush();
  }

  /** Stores the rest and the artifact itself; returns its id. */
  async close(about: Omit<ArtifactRow, "id" | "size_bytes" | "created_at">): Promise<string> {
    if (this.#waitingBytes > 0) await this.#flush();
    await insertArtifact(this.#tx, this.#workspaceId, { ...about, id: this.#id, size_bytes: this.#sizeBytes });
    return this.#id;
  }

  async #flush(): Promise<void> {
    const data = Buffer.from(this.#texts.join(""), "utf8");
    this.#texts = [];
    this.#waitingBytes = 0;
    this.#sizeBytes += data.length;
    if (this.#sizeBytes > MAX_BYTES) {
      throw new AppError("CONFLICT", `The artifact would be larger than ${MAX_BYTES / 1024 / 1024} MiB.`);
    }
    await insertArtifactChunk(this.#tx, this.#workspaceId, this.#id, this.#position++, data);
  }
}
