import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSpool, readMultipart, spool } from "./upload.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "upload-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const rules = () => ({ folder, maxBytes: 100, text: false });
const headers = { "content-type": "multipart/form-data; boundary=b" };
const FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';

describe("uploads leave nothing behind", () => {
  test("when a form breaks off in its file", async () => {
    const source = new PassThrough();
    source.write(`${FILE}half`);
    const upload = readMultipart(headers, source, rules());
    await expect.poll(() => readdirSync(folder)).toHaveLength(1);
    source.destroy(new Error("gone"));
    await expect(upload).rejects.toMatchObject({ code: "INVALID_BODY" });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("when a file is larger than allowed", async () => {
    const source = Readable.from([Buffer.from(`${FILE}${"x".repeat(101)}\r\n--b--\r\n`)]);
    await expect(readMultipart(headers, source, rules())).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("when the server was killed: the next one starts with an empty spool", async () => {
    await spool(Readable.from([Buffer.from("left")]), rules());
    expect(openSpool(folder)).toBe(folder);
    expect(existsSync(folder)).toBe(false);
    expect((await spool(Readable.from([Buffer.from("new")]), rules())).bytes).toBe(3);
  });
});
