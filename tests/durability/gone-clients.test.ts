import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { World } from "../kit/world.ts";

test("a client that resets its connection before it is answered takes no other request with it", async () => {
  await using world = await World.start({ env: { LOG_LEVEL: "silent" } });
  const { hostname, port } = new URL(world.url);
  const statuses = new Set<number>();
  for (let round = 0; round < 20; round++) {
    const gone = Array.from({ length: 10 }, async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      socket.write("GET /api/external/v1/flows HTTP/1.1\r\nHost: gone\r\n\r\n", () => socket.resetAndDestroy());
      await once(socket, "close");
    });
    // Without a credential they are admitted by their address, together with those that are gone.
    const others = Array.from({ length: 10 }, () => fetch(`${world.url}/api/external/v1/flows`));
    for (const reply of await Promise.all(others)) statuses.add(reply.status);
    await Promise.all(gone);
  }
  expect([...statuses].filter((status) => status !== 401 && status !== 429)).toEqual([]);
});
