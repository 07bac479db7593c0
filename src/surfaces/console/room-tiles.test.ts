import { expect, test } from "vitest";
import type { RoomCall } from "./room-sql.ts";
import { RoomTiles } from "./room-tiles.ts";

const call = (rowId: string, attempt = 1) => ({ rowId, attempt }) as RoomCall;
const idsOf = (calls: RoomCall[] | undefined) => calls?.map(({ rowId }) => rowId);

test("a new page gets the whole room, also an empty one, and then what changed", () => {
  const tiles = new RoomTiles();
  tiles.take([], 0);
  expect(tiles.since(0)).toEqual({ isWhole: true, calls: [], gone: [], total: 0 });
  const seen = tiles.revision;
  tiles.take([call("a"), call("b")], 2);
  expect(tiles.since(seen)).toMatchObject({ isWhole: false, gone: [], total: 2 });
  const both = tiles.revision;
  tiles.take([call("a"), call("b")], 2);
  expect(tiles.since(both)).toBeNull();
  tiles.take([call("b", 2)], 1);
  const frame = tiles.since(both);
  expect([idsOf(frame?.calls), frame?.gone, frame?.total]).toEqual([["b"], ["a"], 1]);
  expect(idsOf(tiles.since(0)?.calls)).toEqual(["b"]);
});

test("a page that is far behind gets the whole room again", () => {
  const tiles = new RoomTiles();
  tiles.take([call("x")], 1);
  const behind = tiles.revision;
  for (let i = 0; i < 300; i++) tiles.take([call("x"), call(`a${i}`), call(`b${i}`)], 3);
  const { revision } = tiles;
  expect(tiles.since(behind)?.isWhole).toBe(true);
  tiles.take([call("x")], 1);
  expect(tiles.since(revision)).toMatchObject({ isWhole: false, calls: [], gone: ["a299", "b299"] });
});
