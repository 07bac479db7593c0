import { expect, test } from "vitest";
import { createMemoryServices } from "./memory-services.ts";

test.each([
  ["When are the shops open?", "The shop opens at nine."],
  ["你们的营业时间是什么？", "营业时间是九点到六点。"],
  ["営業時間を教えてください", "営業時間は九時からです。"],
  ["เวลาเปิดคืออะไร", "เวลาเปิดเก้าโมง"],
])("%s finds what the suite says about it", async (question, text) => {
  const others = ["Parking is behind the house.", "停车场在楼后面。"].map((other) => ({ title: "", text: other }));
  const services = createMemoryServices([...others, { title: "", text }], {});
  expect((await services.searchKnowledge(question))[0]?.text).toBe(text);
});
