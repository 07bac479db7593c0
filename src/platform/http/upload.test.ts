import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SpoolRoom } from "./spool-room.ts";
import { readMultipart, spool } from "./upload.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "upload-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const rules = (room = new SpoolRoom(folder, 1_000)) => ({ room, caller: "w1", maxBytes: 100, text: false });
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

  test("when the file came as a text, which is told", async () => {
    const source = Readable.from([Buffer.from(`${FILE.replace('; filename="x"', "")}phone\r\n--b--\r\n`)]);
    await expect(readMultipart(headers, source, rules())).rejects.toThrow("filename");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("when the server was killed: the next one starts with an empty spool", async () => {
    await spool(Readable.from([Buffer.from("left")]), rules());
    new SpoolRoom(folder, 1_000).empty();
    expect(existsSync(folder)).toBe(false);
    expect((await spool(Readable.from([Buffer.from("new")]), rules())).bytes).toBe(3);
  });
});

describe("uploads share the disk", () => {
  const bytes = (count: number) => Readable.from([Buffer.alloc(count, 120)]);

  test("within a budget, of which one caller has half; what is removed is free again", async () => {
    const room = new SpoolRoom(folder, 200);
    const of = (caller: string) => ({ ...rules(room), caller });
    const first = await spool(bytes(60), of("w1"));
    await expect(spool(bytes(60), of("w1"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    const second = await spool(bytes(100), of("w2"));
    await expect(spool(bytes(41), of("w3"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(readdirSync(folder)).toHaveLength(2);
    await first.remove();
    await first.remove();
    const third = await spool(bytes(100), of("w1"));
    await expect(spool(bytes(1), of("w3"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await Promise.all([second.remove(), third.remove()]);
    expect((await spool(bytes(100), of("w3"))).bytes).toBe(100);
  });

  test("one that would never fit is told so", async () => {
    const upload = spool(bytes(60), rules(new SpoolRoom(folder, 100)));
    await expect(upload).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect(readdirSync(folder)).toEqual([]);
  });
});
