import { Queue, Worker } from "bullmq";

const [port, jobs, concurrency, seconds] = process.argv.slice(2).map(Number);
const INSERTED = 5_000;
const connection = { host: "127.0.0.1", port };
const queue = new Queue("calls", { connection });
for (let left = jobs; left > 0; left -= INSERTED) {
  const data = { customerNumber: "+4915112345678", contactName: "Contact" };
  await queue.addBulk(Array.from({ length: Math.min(INSERTED, left) }, () => ({ name: "call", data })));
}
process.send("filled");
await new Promise((resolve) => process.once("message", resolve));

const startedAt = performance.now();
let done = 0;
const { promise: empty, resolve: onEmpty } = Promise.withResolvers();
const count = async () => {
  if (++done === jobs) onEmpty();
};
const worker = new Worker("calls", count, { connection, concurrency });
await Promise.race([empty, new Promise((resolve) => setTimeout(resolve, seconds * 1_000))]);
const result = { done, seconds: (performance.now() - startedAt) / 1_000 };
await worker.close(true);
await queue.close();
process.send(result);
process.disconnect();
