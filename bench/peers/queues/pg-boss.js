import { PgBoss } from "pg-boss";

const [connectionString, jobs, queues, batch, seconds] = process.argv.slice(2);
const INSERTED = 5_000;
const names = Array.from({ length: Number(queues) }, (_, i) => `calls-${i}`);
const boss = new PgBoss({ connectionString, supervise: false, schedule: false });
boss.on("error", (error) => {
  throw error;
});
await boss.start();
for (const name of names) {
  await boss.createQueue(name);
  for (let left = Number(jobs) / names.length; left > 0; left -= INSERTED) {
    const data = { customerNumber: "+4915112345678", contactName: "Contact" };
    await boss.insert(
      name,
      Array.from({ length: Math.min(INSERTED, left) }, () => ({ data })),
    );
  }
}
process.send("filled");
await new Promise((resolve) => process.once("message", resolve));

const until = performance.now() + Number(seconds) * 1_000;
const startedAt = performance.now();
let done = 0;
let ending = Promise.resolve();
for (let turn = 0; performance.now() < until && done < Number(jobs); turn++) {
  const name = names[turn % names.length];
  const found = await boss.fetch(name, { batchSize: Number(batch) });
  await ending;
  if (found.length > 0)
    ending = boss.complete(
      name,
      found.map(({ id }) => id),
    );
  done += found.length;
}
await ending;
process.send({ done, seconds: (performance.now() - startedAt) / 1_000 });
await boss.stop({ graceful: false });
process.disconnect();
