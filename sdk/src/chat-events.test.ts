import { expect, test } from "vitest";
import { ConnectionError, Parley } from "./client.ts";
import { FakeClock } from "./fake-api.ts";

const encoder = new TextEncoder();
const created = (id: number, content: string) =>
  `id: ${id}\nevent: message.created\ndata: {"message":{"content":"${content}"}}\n\n`;

/** A part of a stream; an Error breaks it. */
type Part = string | Error;

/** Stands for a server that cannot be reached. */
const AWAY = new TypeError("fetch failed");

/** A client whose chats have these streams, one after the other, and 204 at the end. */
function clientOf(streams: (Part[] | typeof AWAY | Response)[]): {
  client: Parley;
  asked: (string | null)[];
  clock: FakeClock;
} {
  const asked: (string | null)[] = [];
  const clock = new FakeClock();
  const answer: typeof fetch = async (_url, init) => {
    asked.push(new Headers(init?.headers).get("last-event-id"));
    const parts = streams[asked.length - 1];
    if (!parts) return new Response(null, { status: 204 });
    if (parts instanceof Error) throw parts;
    if (parts instanceof Response) return parts;
    const left = [...parts];
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const part = left.shift();
      if (part instanceof Error) controller.error(part);
      else if (part === undefined) controller.close();
      else controller.enqueue(encoder.encode(part));
    };
    return new Response(new ReadableStream({ pull }));
  };
  return { client: new Parley({ apiKey: "k", fetch: answer }, clock), asked, clock };
}

test("events come whole, whatever pieces the network makes of them; comments and typing have no id", async () => {
  const text = `${created(1, "Grüße")}: still here\n\nevent: typing\ndata: {"active":true}\n\n`;
  const bytes = encoder.encode(text);
  const pieces = Array.from(bytes, (byte) => new Uint8Array([byte]));
  const answers = [
    new Response(
      new ReadableStream({
        start: (controller) => (pieces.forEach((one) => controller.enqueue(one)), controller.close()),
      }),
    ),
    new Response(null, { status: 204 }),
  ];
  const client = new Parley({ apiKey: "k", fetch: async () => answers.shift() as Response }, new FakeClock());
  expect(await Array.fromAsync(client.chats.events("c1"))).toEqual([
    { id: "1", type: "message.created", data: { message: { content: "Grüße" } } },
    { id: undefined, type: "typing", data: { active: true } },
  ]);
});

test("only line feeds and carriage returns end a line, so that a message may hold other separators", async () => {
  const content = "one\u2028two\u2029three\u0085four";
  const { client } = clientOf([[created(1, content)]]);
  expect(await Array.fromAsync(client.chats.events("c1"))).toEqual([
    { id: "1", type: "message.created", data: { message: { content } } },
  ]);
});

test("a stream that ends or breaks goes on after the last event, and 204 is the end", async () => {
  const { client, asked } = clientOf([
    [created(1, "a"), created(2, "b")],
    [created(3, "c"), created(4, "d").slice(0, 20), new Error("reset")],
    [created(4, "d")],
  ]);
  const ids = (await Array.fromAsync(client.chats.events("c1"))).map(({ id }) => id);
  expect(ids).toEqual(["1", "2", "3", "4"]);
  expect(asked).toEqual([null, "2", "3", "4"]);
});

test("a stream goes on after a restart of the server that outlasts the repeats of a request", async () => {
  const busy = Array.from({ length: 3 }, () => new Response("{}", { status: 503 }));
  const { client, asked } = clientOf([[created(1, "a"), AWAY], AWAY, AWAY, AWAY, ...busy, [created(2, "b")]]);
  const ids = (await Array.fromAsync(client.chats.events("c1"))).map(({ id }) => id);
  expect(ids).toEqual(["1", "2"]);
  expect(asked).toEqual([null, "1", "1", "1", "1", "1", "1", "1", "2"]);
});

test("a server that is not there at the first time is told at once", async () => {
  const { client, asked } = clientOf(Array.from({ length: 9 }, () => AWAY));
  await expect(Array.fromAsync(client.chats.events("c1"))).rejects.toThrow(ConnectionError);
  expect(asked).toHaveLength(3);
});

test("a stream that only breaks is given up", async () => {
  const { client, asked } = clientOf(Array.from({ length: 9 }, () => [new Error("reset")]));
  await expect(Array.fromAsync(client.chats.events("c1", { lastEventId: "7" }))).rejects.toThrow(ConnectionError);
  expect(asked).toEqual(["7", "7", "7", "7", "7"]);
});
