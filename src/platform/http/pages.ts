import type { IncomingHttpHeaders } from "node:http";
import type { PageFile } from "./page-files.ts";

/** A request that matches no route. */
export interface PageAsk {
  method: string;
  /** Path and query. */
  url: string;
  /** Name and port as the visitor wrote them. */
  host: string;
  headers: IncomingHttpHeaders;
}

/** Answer to such a request. */
export interface PageAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer | string;
}

/** Files and pages beside the routes: the dashboard, the documentation. */
export interface Pages {
  /** Null: there is no such page. */
  answer(ask: PageAsk): PageAnswer | null;
}

/** Returns pages of several builds: the first that has an answer gives it. */
export function joinPages(...all: Pages[]): Pages {
  return {
    answer(ask) {
      for (const pages of all) {
        const answer = pages.answer(ask);
        if (answer) return answer;
      }
      return null;
    },
  };
}

/** Returns the Cache-Control of a path within a build. Vite names assets after their content, so they never change. */
export function cacheRule(path: string): string {
  return path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
}

/** Returns the headers that guard each page of the product, with the given Content-Security-Policy. */
export function guardHeaders(publicUrl: string, policy: string): Record<string, string> {
  return {
    "content-security-policy": policy,
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(self)",
    ...(new URL(publicUrl).protocol === "https:" ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
}

/**
 * Answers with a file, packed as the visitor accepts it, or with 304 to a visitor who has it. `own` are the headers sent
 * with it.
 */
export function sendFile(file: PageFile, { headers }: PageAsk, own: Record<string, string>): PageAnswer {
  const common = { ...own, etag: file.etag, vary: "accept-encoding" };
  const known = (headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (known.includes(file.etag)) return { status: 304, headers: common, body: "" };
  const typed = { ...common, "content-type": file.type };
  const [encoding, body] = pack(file, String(headers["accept-encoding"] ?? ""));
  if (!body) return { status: 200, headers: typed, body: file.bytes };
  return { status: 200, headers: { ...typed, "content-encoding": encoding }, body };
}

/** Returns the smallest form of the file that the visitor accepts. */
function pack(file: PageFile, accepted: string): [encoding: string, body: Buffer | undefined] {
  if (file.brotli && /\bbr\b/.test(accepted)) return ["br", file.brotli];
  return ["gzip", /\bgzip\b/.test(accepted) ? file.gzip() : undefined];
}
