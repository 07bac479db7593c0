import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { idOfKey } from "#src/platform/kernel/key-ring.ts";
import { readConfig } from "./config.ts";
import { findKeyRing } from "./secret.ts";

const PRESENT = "the present secret of an installation";
const FORMER = "the former secret of an installation";
const idOf = (text: string) => idOfKey(createHash("sha256").update(text).digest());
const read = (env: Record<string, string>) => findKeyRing(readConfig(env));

test("a secret seals without the line end of its file, and opens what was sealed with it", () => {
  for (const end of ["", "\n", "\r\n", "\n\n"]) {
    const keys = read({ PARLEY_SECRET: PRESENT + end, PARLEY_SECRET_PREVIOUS: FORMER + end });
    expect(keys?.currentId).toBe(idOf(PRESENT));
    const texts = [PRESENT, FORMER].flatMap((text) => [text, `${text}\n`, text + end]);
    expect(keys?.ids.toSorted()).toEqual([...new Set(texts.map(idOf))].toSorted());
  }
});

test("a secret of line ends alone is refused", () => {
  expect(() => readConfig({ PARLEY_SECRET: "\n".repeat(20) })).toThrow("PARLEY_SECRET must have");
});

test("other settings are read without the line end of their file", () => {
  const { metricsToken, publicUrl, allowPrivateNetwork } = readConfig({
    METRICS_TOKEN: "a token that reads figures\n",
    PARLEY_URL: "https://parley.example.com\r\n",
    ALLOW_PRIVATE_NETWORK: "1\n",
  });
  expect([metricsToken, publicUrl, allowPrivateNetwork]).toEqual([
    "a token that reads figures",
    "https://parley.example.com",
    true,
  ]);
});
