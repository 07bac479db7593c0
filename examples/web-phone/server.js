// The page's own server: it alone knows the API key, and asks Parley for what each visitor's page may do.
// PARLEY_KEY=… node server.js, then http://127.0.0.1:8081
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const parley = process.env.PARLEY_URL ?? "http://127.0.0.1:8080";
const port = Number(process.env.PORT ?? 8081);
const origin = process.env.ORIGIN ?? `http://127.0.0.1:${port}`;
const page = readFileSync(new URL("index.html", import.meta.url), "utf8").replace("http://127.0.0.1:8080", parley);

const asks = {
  "/ring": ["web-calls", { displayName: "Green Street Clinic", allowedOrigins: [origin] }],
  "/wait": ["web-phones", { name: "Front desk", allowedOrigins: [origin] }],
};

createServer(async (request, response) => {
  if (request.method === "GET" && request.url === "/") {
    return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  }
  const ask = request.method === "POST" && request.headers.origin === origin && asks[request.url];
  if (!ask) return response.writeHead(404).end();
  try {
    const reply = await fetch(`${parley}/api/external/v1/${ask[0]}`, {
      method: "POST",
      headers: { "x-api-key": process.env.PARLEY_KEY, "content-type": "application/json" },
      body: JSON.stringify(ask[1]),
    });
    const { token, socketUrl } = await reply.json();
    response.writeHead(reply.ok ? 200 : 502, { "content-type": "application/json" });
    response.end(JSON.stringify({ token, socketUrl }));
  } catch {
    response.writeHead(502).end();
  }
}).listen(port, () => process.stdout.write(`The page is at ${origin}\n`));
