import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { Reply } from "./route.ts";

type Coding = "br" | "gzip" | "identity";

/**
 * A document that stays the same while the process runs: compressed once per coding, and answered with 304 to a client
 * that has it.
 */
export class CachedDocument {
  readonly #read: () => string | Buffer;
  readonly #headers: Record<string, string>;
  readonly #packed = new Map<Coding, Buffer>();
  #tag: string | undefined;

  /** `read` returns the content and is called on first use; `headers` are sent with it. */
  constructor(read: () => string | Buffer, headers: Record<string, string>) {
    this.#read = read;
    this.#headers = headers;
  }

  /**
   * Answers a GET according to the codings that the client accepts and the tags of its copies (RFC 9110, 12.5.3 and
   * 13.1.2).
   */
  answer(asked: IncomingHttpHeaders): Reply {
    const coding = chooseCoding(asked["accept-encoding"]);
    const bytes = this.#bytes(coding);
    const etag = `"${this.#tag}${coding === "identity" ? "" : `-${coding}`}"`;
    const shared = { vary: "accept-encoding", "cache-control": "no-cache", ...this.#headers, etag };
    if (this.#isKnown(asked["if-none-match"])) {
      const { "content-type": _, ...validators } = shared as Record<string, string>;
      return new Reply(304, undefined, validators);
    }
    return new Reply(200, bytes, coding === "identity" ? shared : { ...shared, "content-encoding": coding });
  }

  #bytes(coding: Coding): Buffer {
    const known = this.#packed.get(coding);
    if (known) return known;
    const plain = coding === "identity" ? Buffer.from(this.#read()) : this.#bytes("identity");
    this.#tag ??= createHash("sha256").update(plain).digest("base64url").slice(0, 22);
    const bytes = pack(plain, coding);
    this.#packed.set(coding, bytes);
    return bytes;
  }

  /** True when the client has the content in any coding. Each coding has a tag of its own. */
  #isKnown(header: string | undefined): boolean {
    if (header === undefined) return false;
    const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
    return tags.some((tag) => tag === "*" || tag.replace(/-(br|gzip)"$/, '"') === `"${this.#tag}"`);
  }
}

function pack(plain: Buffer, coding: Coding): Buffer {
  if (coding === "identity") return plain;
  if (coding === "gzip") return gzipSync(plain);
  // Quality 5 compresses better than gzip in the same time; 11 would block the process for seconds.
  return brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}

/** Returns the best coding that the client accepts; q=0 refuses one. */
function chooseCoding(header: string | string[] | undefined): Coding {
  const taken = new Map(
    String(header ?? "")
      .split(",")
      .map((part) => {
        const [name = "", ...parameters] = part
          .toLowerCase()
          .split(";")
          .map((text) => text.trim());
        const weight = parameters.map((one) => /^q=([\d.]+)$/.exec(one)?.[1]).find((value) => value !== undefined);
        return [name, Number(weight ?? 1)] as const;
      }),
  );
  const weightOf = (coding: Coding) => taken.get(coding) ?? 0;
  if (weightOf("br") > 0 && weightOf("br") >= weightOf("gzip")) return "br";
  return weightOf("gzip") > 0 ? "gzip" : "identity";
}
