import { expect, test, vi } from "vitest";
import type { RoomCall } from "#web/api/live-shapes.ts";
import { RoomStore } from "./room-store.ts";

const call = (rowId: string) => ({ rowId }) as RoomCall;
const tiles = (calls: RoomCall[], gone: string[] = [], isWhole = false) => ({ isWhole, calls, gone, total: 9 });

test("a frame wakes only the tiles whose calls changed, and levels wake none", () => {
  const store = new RoomStore();
  store.take("room.tiles", tiles([call("a"), call("b")], [], true));
  const wakeA = vi.fn<() => void>();
  const wakeB = vi.fn<() => void>();
  const wakeList = vi.fn<() => void>();
  const draw = vi.fn<() => void>();
  store.follow("a", wakeA);
  store.follow("b", wakeB);
  store.followList(wakeList);
  store.draw("a", draw);
  store.take("room.tiles", tiles([call("b")]));
  store.take("room.levels", { levels: { a: "0f.80", unknown: "1.1" } });
  expect([wakeA, wakeB, wakeList, draw].map(({ mock }) => mock.calls.length)).toEqual([0, 1, 1, 1]);
});

test("calls that are over leave, and a whole frame replaces everything", () => {
  const store = new RoomStore();
  store.take("room.tiles", tiles([call("a"), call("b")], [], true));
  store.take("room.tiles", tiles([], ["a"]));
  expect([store.get("a"), store.list, store.total]).toEqual([undefined, [call("b")], 9]);
  store.take("room.tiles", tiles([call("c")], [], true));
  expect(store.list).toEqual([call("c")]);
});

test("the waveform has the latest levels at its right end", () => {
  const store = new RoomStore();
  let paths = { person: "", agent: "" };
  store.draw("a", (levels) => (paths = levels.paths));
  store.take("room.levels", { levels: { a: "0f.f0" } });
  expect(paths).toEqual({ person: "M95 1.0v30.0", agent: "M93 1.0v30.0" });
});
