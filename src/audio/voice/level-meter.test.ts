import { expect, test } from "vitest";
import { LevelMeter } from "./level-meter.ts";

const chunk = (peak: number) => Int16Array.from({ length: 800 }, (_, i) => (i % 2 === 0 ? peak : -peak));

test("levels are one digit for each tenth of a second, the person's before ours", () => {
  const meter = new LevelMeter();
  expect(meter.take()).toBe(".");
  meter.add(chunk(0), 32_767);
  meter.add(chunk(32_767), 0);
  meter.add(chunk(1_000), 100);
  expect(meter.take()).toBe("0f6.f00");
  expect(meter.take()).toBe(".");
});

test("nothing is measured before somebody asks, and no more than the latest is kept", () => {
  const meter = new LevelMeter();
  meter.add(chunk(32_767), 32_767);
  expect(meter.take()).toBe(".");
  for (let i = 0; i < 20; i++) meter.add(chunk(i < 12 ? 0 : 32_767), 0);
  expect(meter.take()).toBe("ffffffff.00000000");
});
