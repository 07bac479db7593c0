import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Passes everything on to `target` with one header and a query more: the conformance suite has no way to send a
 * credential, and drops queries. Host and Origin go through as they came, since the suite tests what is made of them.
 */
export async function startConformanceProxy(
  target: string,
  header: [name: string, value: string],
  query: string,
): Promise<{ url: string; close: () => Promise<void> }> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url } = incoming;
    const headers = [...incoming.rawHeaders, ...header];
    const upstream = httpRequest(
      { hostname, port, method, path: `${url}${query}`, headers, setHost: false },
      (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
        reply.pipe(outgoing);
      },
    );
    upstream.on("error", () => outgoing.destroy());
    outgoing.on("close", () => upstream.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
