import { expect, test } from "vitest";
import { type PlayedEvent, UtterancePlayer } from "./utterance-player.ts";

const played = (id: number): PlayedEvent => ({ kind: "PLAYED", id, fraction: 1, cut: false, startMs: 0, endMs: 10 });

/** A player, and the orders that it gave to the media. */
function open() {
  const orders: string[] = [];
  const media = { begin: (id: number) => void orders.push(`begin ${id}`), clear: () => void orders.push("clear") };
  return { orders, player: new UtterancePlayer(media) };
}

test("each utterance ends with its own event", async () => {
  const { orders, player } = open();
  const { signal } = new AbortController();
  expect(player.hasBegun).toBe(false);
  const first = player.begin(signal);
  const second = player.begin(signal);
  expect(player.hasBegun).toBe(true);
  player.take(played(second.id));
  player.take(played(first.id));
  expect(await second.ended).toEqual(played(2));
  expect(await first.ended).toEqual(played(1));
  expect(orders).toEqual(["begin 1", "begin 2"]);
});

test("a signal drops what is played, and nothing once it has ended", async () => {
  const { orders, player } = open();
  const stop = new AbortController();
  const { id, ended } = player.begin(stop.signal);
  stop.abort();
  player.take(played(id));
  await ended;
  const later = new AbortController();
  const next = player.begin(later.signal);
  player.take(played(next.id));
  await next.ended;
  later.abort();
  expect(orders).toEqual(["begin 1", "clear", "begin 2"]);
});
