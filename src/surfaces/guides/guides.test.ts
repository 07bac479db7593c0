import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { createGuides, listGuides } from "./guides.ts";

const root = mkdtempSync(join(tmpdir(), "parley-guides-"));
const build = join(root, "dist");
mkdirSync(join(build, "assets"), { recursive: true });
writeFileSync(join(build, "index.html"), "<!doctype html><title>First</title>");
writeFileSync(join(build, "flows.html"), "<!doctype html><title>Flows</title>");
writeFileSync(join(build, "404.html"), "<!doctype html><title>Missing</title>");
writeFileSync(join(build, "assets", "main-1a2b.js"), "let a = 1;\n");
writeFileSync(join(build, "assets", "main-1a2b.js.br"), brotliCompressSync("let a = 1;\n"));
writeFileSync(join(build, "guides.json"), '[{"path":"/docs/guides/flows","title":"Flows","summary":"Drafts."}]');
writeFileSync(join(root, "secret.html"), "secret");
afterAll(() => rmSync(root, { recursive: true, force: true }));

const html = { accept: "text/html,*/*;q=0.8" };

function ask(url: string, { headers = html as object, method = "GET", folder = build } = {}) {
  const visit = { method, url, host: "parley.example.com", headers: headers as Record<string, string> };
  return createGuides("https://parley.example.com", folder).answer(visit);
}

describe("the documentation's pages", () => {
  it("have addresses without an ending, and are asked for anew", () => {
    for (const [path, title] of [
      ["/docs/guides", "First"],
      ["/docs/guides?from=mail", "First"],
      ["/docs/guides/flows", "Flows"],
    ] as const) {
      const answer = ask(path, { headers: {} });
      expect([answer?.status, String(answer?.body)]).toEqual([200, `<!doctype html><title>${title}</title>`]);
      expect(answer?.headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-cache",
      });
      const known = ask(path, { headers: { "if-none-match": String(answer?.headers.etag) } });
      expect([known?.status, known?.body]).toEqual([304, ""]);
    }
    const slash = ask("/docs/guides/flows/?a=b");
    expect([slash?.status, slash?.headers.location]).toEqual([308, "/docs/guides/flows?a=b"]);
    const source = ask("/docs/guides/flows.md");
    expect([source?.status, source?.headers.location]).toEqual([308, "/docs/guides/flows"]);
  });

  it("run scripts and styles from files of this origin alone", () => {
    for (const path of ["/docs/guides", "/docs/guides/none", "/docs/guides/"]) {
      const { headers = {} } = ask(path) ?? {};
      const sources = String(headers["content-security-policy"])
        .split("; ")
        .flatMap((rule) => rule.split(" ").slice(1));
      expect([...new Set(sources)].toSorted()).toEqual(["'none'", "'self'", "data:"]);
      expect(headers).toMatchObject({ "x-frame-options": "DENY", "referrer-policy": "no-referrer" });
      expect(headers["strict-transport-security"]).toContain("max-age");
    }
  });

  it("come with files that are kept for good, packed where the visitor takes it", () => {
    const packed = ask("/docs/guides/assets/main-1a2b.js", { headers: { "accept-encoding": "br" } });
    expect(packed?.headers).toMatchObject({
      "content-encoding": "br",
      "content-type": "text/javascript; charset=utf-8",
    });
    expect(packed?.headers["cache-control"]).toContain("immutable");
    expect(String(brotliDecompressSync(packed?.body as Buffer))).toBe("let a = 1;\n");
  });

  it.each([
    "/docs/guides/../secret",
    "/docs/guides/../../secret.html",
    "/docs/guides/%2e%2e/secret",
    "/docs/guides/..%2fsecret",
    "/docs/guides/..\\secret",
    "/docs/guides//secret",
    "/docs/guides/assets",
    "/docs/guides/assets/main-1a2b.js.br",
    "/docs/guides/none",
  ])("are not %s", (path) => {
    const answer = ask(path);
    expect([answer?.status, String(answer?.body)]).toEqual([404, "<!doctype html><title>Missing</title>"]);
    expect(ask(path, { headers: { accept: "application/json" } })).toBeNull();
  });

  it("leave all else to the others", () => {
    for (const path of ["/", "/docs", "/docs/guidesx", "/docs/swagger-ui.css"]) expect(ask(path)).toBeNull();
    expect(ask("/docs/guides", { method: "POST" })).toBeNull();
  });

  it("tell how to build them when there is no build", () => {
    const answer = ask("/docs/guides/flows", { folder: join(root, "none") });
    expect([answer?.status, String(answer?.body).includes("npm run docs")]).toEqual([503, true]);
    expect([listGuides(join(root, "none")).length, listGuides(build).length]).toEqual([0, 1]);
  });
});
