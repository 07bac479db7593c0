import { describe, expect, test } from "vitest";
import { extractAside } from "./extract-aside.ts";
import { decodeText, extractChunks, type SourceType } from "./extract.ts";
import { partWords } from "./part-words.ts";
import { joinText } from "./pdf-blocks.ts";
import { UnreadableError } from "./unreadable.ts";

const extract = async (text: string, mediaType: SourceType) =>
  (await extractChunks({ bytes: Buffer.from(text), mediaType, charset: null })).map((chunk) => chunk.text);

describe("character sets", () => {
  test("byte order mark before header before meta before UTF-8", () => {
    expect(decodeText(Buffer.from("\ufeffgrün"), "iso-8859-1", true)).toBe("grün");
    expect(decodeText(Buffer.from("\ufeffgrün", "utf16le"), null, false)).toBe("grün");
    expect(decodeText(Buffer.from("grün", "latin1"), "iso-8859-1", false)).toBe("grün");
    expect(decodeText(Buffer.from('<meta charset="iso-8859-1">grün', "latin1"), null, true)).toContain("grün");
    expect(decodeText(Buffer.from("grün"), null, false)).toBe("grün");
  });

  test("HTML that is no UTF-8 and names nothing is windows-1252; other text is unreadable", () => {
    expect(decodeText(Buffer.from([0x67, 0x72, 0xfc, 0x6e, 0x80]), null, true)).toBe("grün€");
    expect(() => decodeText(Buffer.from([0xfc]), null, false)).toThrow("not UTF-8");
    expect(() => decodeText(Buffer.from("x"), "klingon", true)).toThrow("klingon");
  });
});

describe("formats", () => {
  test("a CSV becomes a paragraph for each line, with the names of the columns", async () => {
    expect(await extract('Dish;Price\n"Soup; hot";4\nBread;\n\n', "text/csv")).toEqual([
      "Dish: Soup; hot\nPrice: 4\n\nDish: Bread",
    ]);
    const rows = ["Dish: Soup\nPrice, in euros: 4"];
    expect(await extract('\r\nDish;"Price, in euros"\r\nSoup;4\r\n', "text/csv")).toEqual(rows);
    await expect(extract('a,b\n"x,1', "text/csv")).rejects.toThrow(UnreadableError);
  });

  test("JSON becomes a line for each value, with the names on the way to it", async () => {
    const text = JSON.stringify({ dishes: [{ name: "Soup", price: 4 }, { name: "Bread" }], open: true, note: null });
    expect(await extract(text, "application/json")).toEqual([
      "dishes.name: Soup\ndishes.price: 4\n\ndishes.name: Bread\n\nopen: true",
    ]);
    await expect(extract("{", "application/json")).rejects.toThrow("not valid JSON");
    await expect(extract(`${"[".repeat(80)}${"]".repeat(80)}`, "application/json")).rejects.toThrow("deeper than 64");
  });

  test("an id in JSON keeps the digits that JavaScript's numbers do not hold", async () => {
    const text = '{"order": 12345678901234567890, "price": 4.50}';
    expect(await extract(text, "application/json")).toEqual(["order: 12345678901234567890\nprice: 4.5"]);
    const deep = "[".repeat(8_000) + "]".repeat(8_000);
    await expect(extract(deep, "application/json")).rejects.toThrow("deeper than 64");
  });

  test("what PostgreSQL cannot store is replaced", async () => {
    expect(await extract('"a\\u0000b \\ud800"', "application/json")).toEqual(["a b \ufffd"]);
  });

  test("a line of Markdown that is nearly the rule of a table is read at once, however long it is", async () => {
    const tabs = "\t".repeat(7_000);
    expect(await extract(`a\n${tabs}-:${tabs}\t-|x`, "text/markdown")).not.toEqual([]);
    const rules = ["|---|", "a|b\n|:-:|---", "a|b\n - | :-- |", "a|b\n- -|--"];
    const rows = await Promise.all(rules.map((rule) => extract(`${rule}\n1|2`, "text/markdown")));
    expect(rows).toEqual([["|---|\n1|2"], ["a|b\n1|2"], ["a|b\n1|2"], ["a|b\n- -|--\n1|2"]]);
  });

  test("a source without text is unreadable", async () => {
    await expect(extract("<p> </p>", "text/html")).rejects.toThrow("no text");
  });
});

test("words of scripts without spaces are parted, other text stays", () => {
  expect(partWords("Office hours: 9-5")).toBe("Office hours: 9-5");
  expect(partWords("我们的营业时间").split(/\s+/).filter(Boolean)).toContain("时间");
});

test("lines of a PDF are joined by a space, but not in scripts that have none", () => {
  expect(joinText("我们的营业时", "间是九点到六点。")).toBe("我们的营业时间是九点到六点。");
  expect(joinText("九点到六点。", "星期日休息")).toBe("九点到六点。星期日休息");
  expect(joinText("เปิดทุก", "วัน")).toBe("เปิดทุกวัน");
  expect([joinText("영업", "시간"), joinText("open on", "营业")]).toEqual(["영업 시간", "open on 营业"]);
});

describe("large sources", () => {
  test("are read in a thread, with the same result", async () => {
    const html = `<ul>${Array.from({ length: 5_000 }, (_, i) => `<li>Item number ${i}</li>`).join("")}</ul>`;
    const source = { bytes: Buffer.from(html), mediaType: "text/html" as const, charset: null };
    expect(source.bytes.length).toBeGreaterThan(16 * 1024);
    expect(await extractAside("w", source)).toEqual(await extractChunks(source));
  });

  test("that are unreadable say so from the thread too, also when several come at once", async () => {
    const source = { bytes: Buffer.from("[".repeat(100_000)), mediaType: "application/json" as const, charset: null };
    const all = await Promise.allSettled([1, 2, 3, 4, 5].map(() => extractAside("w", source)));
    for (const end of all) expect((end as PromiseRejectedResult).reason).toBeInstanceOf(UnreadableError);
  });

  test("of one workspace hold up another's single document for no longer than those that are being read", async () => {
    const source = { bytes: Buffer.from("[".repeat(100_000)), mediaType: "application/json" as const, charset: null };
    const ended: string[] = [];
    const read = (workspaceId: string) => extractAside(workspaceId, source).catch(() => ended.push(workspaceId));
    const noisy = Array.from({ length: 8 }, () => read("noisy"));
    await read("quiet");
    // Two were being read when it came, and one more may end at the same time.
    expect(ended.indexOf("quiet")).toBeLessThanOrEqual(3);
    await Promise.all(noisy);
  });
});
