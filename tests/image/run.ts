import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeMachine } from "../../bench/machine.ts";
import { ROOT } from "../kit/repository.ts";
import { type BaseImages, makeBaseImages } from "./base-images.ts";
import { ContainerTools, Unavailable } from "./container-tools.ts";
import { inspectContents } from "./contents.ts";
import { TcpDatabase } from "./database.ts";
import { inspectRuns } from "./server-run.ts";

const IMAGE = "localhost/parley-test";
/** Bytes that the image may take on a disk, unpacked. */
const MAX_BYTES = 300e6;

/**
 * `npm run image [NODE_IMAGE RUNTIME_IMAGE]`: builds the image by Dockerfile with buildah, looks into it, and runs it
 * with podman up to a first call and an orderly stop. Without base images it makes them from Debian's packages. Exits
 * with 1 when something was not as it should be, and with 2 when this machine cannot build or run images.
 */
const print = (line: string) => process.stdout.write(`${line}\n`);

async function main(folder: string, [node, runtime]: string[]): Promise<string[]> {
  const tools = await ContainerTools.open(folder);
  print(node && runtime ? `Base images: ${node}, ${runtime}` : "Making base images from Debian's packages ...");
  const bases = node && runtime ? { node, runtime } : await makeBaseImages(tools, folder);
  const faults = await buildImage(tools, bases);
  const mount = (await tools.podmanOrThrow("image", "mount", IMAGE)).trim();
  faults.push(...inspectContents(mount));
  await tools.podmanOrThrow("image", "unmount", IMAGE);
  print(`Started by: ${await tools.findWay(IMAGE)}`);
  await using database = await TcpDatabase.start(folder);
  return [...faults, ...(await inspectRuns(tools, IMAGE, database.url, print))];
}

async function buildImage(tools: ContainerTools, bases: BaseImages): Promise<string[]> {
  print("Building the image ...");
  const args = { NODE_IMAGE: bases.node, RUNTIME_IMAGE: bases.runtime };
  await tools.build(IMAGE, ROOT, readFileSync(join(ROOT, "Dockerfile"), "utf8"), args);
  const sizeOf = async (image: string) =>
    Number(await tools.podmanOrThrow("image", "inspect", "--format={{.Size}}", image));
  const bytes = await sizeOf(IMAGE);
  const inBase = await sizeOf(bases.runtime);
  print(`Size unpacked: ${toMb(bytes)} MB, of which ${toMb(inBase)} MB are the base image.`);
  return bytes > MAX_BYTES ? [`The image has ${toMb(bytes)} MB, more than ${toMb(MAX_BYTES)}.`] : [];
}

const toMb = (bytes: number) => Math.round(bytes / 1e6);

print(`Machine: ${describeMachine()}`);
const folder = mkdtempSync(join(tmpdir(), "parley-image-"));
try {
  const faults = await main(folder, process.argv.slice(2));
  for (const fault of faults) print(`FAULT: ${fault}`);
  print(faults.length === 0 ? "Passed." : `Failed: ${faults.length} faults.`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  print(`SKIPPED, nothing is known about the image: ${error.message}`);
  process.exitCode = 2;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
