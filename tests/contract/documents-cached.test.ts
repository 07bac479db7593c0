import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

interface Answer {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}

/** A GET whose answer is not unpacked. */
function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(world.url + path, { headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("end", () =>
        resolve({
          status: reply.statusCode ?? 0,
          headers: reply.headers as Record<string, string>,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    asked.on("error", reject).end();
  });
}

test.each(["/openapi.json", "/llms.txt", "/docs", "/docs/start.js", "/docs/swagger-ui.css"])(
  "%s is packed for who takes it, and not sent again to who has it",
  async (path) => {
    const plain = await get(path);
    expect([plain.status, plain.headers["content-encoding"], plain.headers.vary]).toEqual([
      200,
      undefined,
      "accept-encoding",
    ]);
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [accepted, coding] of [
      ["gzip, deflate, br", "br"],
      ["gzip", "gzip"],
      ["br;q=0, gzip;q=0.5", "gzip"],
    ] as const) {
      const packed = await get(path, { "accept-encoding": accepted });
      expect(packed.headers["content-encoding"]).toBe(coding);
      expect(unpack[coding](packed.bytes).equals(plain.bytes)).toBe(true);
      expect(packed.headers.etag).not.toBe(plain.headers.etag);
    }
    for (const tag of [plain.headers.etag as string, `"other", W/${plain.headers.etag}`, "*"]) {
      const known = await get(path, { "if-none-match": tag });
      expect([known.status, known.bytes.length, known.headers.etag]).toEqual([304, 0, plain.headers.etag]);
    }
    expect((await get(path, { "if-none-match": '"other"' })).status).toBe(200);
  },
);

test("discovery documents may be read by pages of any origin", async () => {
  for (const path of ["oauth-protected-resource/api/mcp", "oauth-authorization-server"]) {
    const { headers } = await get(`/.well-known/${path}`, { origin: "https://client.example" });
    expect(headers["access-control-allow-origin"]).toBe("https://client.example");
  }
});

test("a long list of codings holds nobody up: who asks for documents needs no key, and no rate limits them", async () => {
  const coding = `gzip${"\t".repeat(15_000)}x`;
  for (let i = 0; i < 200; i++) {
    const reply = await fetch(`${world.url}/docs`, { headers: { "accept-encoding": coding } });
    expect([reply.status, reply.headers.get("content-encoding")]).toEqual([200, null]);
  }
});
