import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { createPages } from "./pages.ts";

const root = mkdtempSync(join(tmpdir(), "parley-pages-"));
const build = join(root, "dist");
mkdirSync(join(build, "assets"), { recursive: true });
writeFileSync(join(build, "index.html"), "<!doctype html><title>Parley</title>");
writeFileSync(join(build, "assets", "app-1a2b.js"), "let a = 1;\n".repeat(500));
writeFileSync(join(build, "assets", "packed-1a2b.js"), "let b = 2;\n");
writeFileSync(join(build, "assets", "packed-1a2b.js.br"), brotliCompressSync("let b = 2;\n"));
writeFileSync(join(root, "secret.txt"), "secret");
afterAll(() => rmSync(root, { recursive: true, force: true }));

const PUBLIC = "https://parley.example.com";
const html = { accept: "text/html,*/*;q=0.8" };

function ask(
  url: string,
  { headers = html as object, host = "parley.example.com", method = "GET", base = PUBLIC } = {},
) {
  return createPages(base, build).answer({ method, url, host, headers: headers as Record<string, string> });
}

describe("the dashboard's pages", () => {
  it("are one page for every path of the dashboard, never kept without asking", () => {
    for (const path of ["/", "/calls", "/setup/abc", "/workspaces/1/calls?status=FAILED"]) {
      const answer = ask(path);
      expect([path, answer?.status, String(answer?.body)]).toEqual([path, 200, "<!doctype html><title>Parley</title>"]);
      expect(answer?.headers["cache-control"]).toBe("no-cache");
    }
  });

  it("let scripts run from files alone, and no page frame them", () => {
    const policy = String(ask("/")?.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe("'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("wss://parley.example.com");
    expect(ask("/")?.headers).toMatchObject({ "referrer-policy": "no-referrer", "x-frame-options": "DENY" });
  });

  it("come with files that are kept for good, packed where the visitor takes it", () => {
    const plain = ask("/assets/app-1a2b.js", { headers: {} });
    expect(plain?.headers).toMatchObject({ "content-type": "text/javascript; charset=utf-8" });
    expect(plain?.headers["cache-control"]).toContain("immutable");
    const packed = ask("/assets/app-1a2b.js", { headers: { "accept-encoding": "br, gzip" } });
    expect(gunzipSync(packed?.body as Buffer)).toEqual(plain?.body);
    const well = ask("/assets/packed-1a2b.js", { headers: { "accept-encoding": "gzip, br" } });
    expect(well?.headers).toMatchObject({ "content-encoding": "br", "content-type": "text/javascript; charset=utf-8" });
    expect(String(brotliDecompressSync(well?.body as Buffer))).toBe("let b = 2;\n");
    expect(String(ask("/assets/packed-1a2b.js", { headers: {} })?.body)).toBe("let b = 2;\n");
    const again = ask("/assets/app-1a2b.js", { headers: { "if-none-match": String(plain?.headers.etag) } });
    expect([again?.status, again?.body]).toEqual([304, ""]);
  });

  it.each([
    "/assets/gone.js",
    "/assets/packed-1a2b.js.br",
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/assets",
    "/api/console/nope",
    "/docs/nope",
  ])("are not %s", (path) => expect(ask(path, path === "/assets" ? { headers: {} } : {})).toBeNull());

  it("answer no request but GET and HEAD, and none of a program", () => {
    expect(ask("/calls", { method: "POST" })).toBeNull();
    expect(ask("/calls", { headers: { accept: "application/json" } })).toBeNull();
    expect(ask("/calls", { method: "HEAD" })?.status).toBe(200);
  });

  it("send a visitor who comes by another name to the one origin, once", () => {
    const to = ask("/calls?a=b", { host: "10.0.0.1:8080" });
    expect([to?.status, to?.headers.location]).toEqual([302, `${PUBLIC}/calls?a=b&from-other-name`]);
    expect(ask("/calls?a=b&from-other-name", { host: "10.0.0.1:8080" })?.status).toBe(200);
    expect(ask("//evil/x", { host: "x" })?.headers.location).toMatch(/^https:\/\/parley\.example\.com\//);
    const base = "http://127.0.0.1:8080";
    expect(ask("/", { base, host: "localhost:8080" })?.headers.location).toBe(`${base}/?from-other-name`);
    expect(ask("/", { base, host: "192.168.1.5:8080" })?.status).toBe(200);
  });

  it("tell how to build them when there is no build", () => {
    const answer = createPages(PUBLIC, join(root, "none")).answer({
      method: "GET",
      url: "/",
      host: "parley.example.com",
      headers: html,
    });
    expect([answer?.status, String(answer?.body).includes("npm start")]).toEqual([503, true]);
  });
});
