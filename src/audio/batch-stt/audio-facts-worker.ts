import { parseFile } from "music-metadata";
import { answerWork } from "#src/platform/kernel/off-thread-work.ts";

await answerWork(async ({ path }: { path: string }) => {
  const { format } = await parseFile(path, { duration: false, skipCovers: true });
  const { container, codec, duration } = format;
  return { container: container ?? null, codec: codec ?? null, duration: duration ?? null };
});
