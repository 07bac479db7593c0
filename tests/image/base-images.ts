import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ContainerTools, run, runOrThrow, Unavailable } from "./container-tools.ts";

const SUITE = "trixie";
/** Left out of Debian's own slim images as well; copyright files stay. */
const SLIMMED = ["usr/share/man", "usr/share/locale", "usr/share/info", "var/cache/apt", "var/lib/apt/lists"];
const AUTHORITIES = "authorities.pem";

/** Images that Dockerfile begins with: one with Node and npm to build, one to run. */
export interface BaseImages {
  node: string;
  runtime: string;
}

/**
 * Makes both from Debian's packages, with the Node and npm that run this, where no registry of images can be asked.
 * `folder` takes the files. Rejects with `Unavailable` when debootstrap cannot run.
 */
export async function makeBaseImages(tools: ContainerTools, folder: string): Promise<BaseImages> {
  if (process.getuid?.() !== 0) throw new Unavailable("debootstrap needs root");
  const debian = join(folder, "debian");
  const { code, output } = await run("debootstrap", ["--variant=minbase", SUITE, debian]);
  if (code !== 0) throw new Unavailable(`debootstrap: ${output.trim().split("\n").at(-1)}`);
  for (const path of SLIMMED) rmSync(join(debian, path), { recursive: true, force: true });
  await runOrThrow("find", [join(debian, "usr/share/doc"), "!", "-type", "d", "!", "-name", "copyright", "-delete"]);
  const images = { node: "localhost/parley-test-node", runtime: "localhost/parley-test-debian" };
  await tools.build(images.runtime, debian, "FROM scratch\nCOPY . /\n");
  const lines = [`FROM ${images.runtime}`, "COPY . /"];
  // What npm trusts here it trusts in the build as well; the image that runs is made without this one.
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  if (authorities) lines.push(`ENV NODE_EXTRA_CA_CERTS=/${AUTHORITIES}`);
  await tools.build(images.node, layOutNode(join(folder, "node"), authorities), lines.join("\n"));
  return images;
}

/** Lays out Node and npm as the official images do; returns the folder. */
function layOutNode(folder: string, authorities: string | undefined): string {
  const { npm_execpath: npm } = process.env;
  if (!npm) throw new Unavailable("npm did not start this; use npm run image");
  const bin = join(folder, "usr/local/bin");
  mkdirSync(bin, { recursive: true });
  cpSync(process.execPath, join(bin, "node"));
  cpSync(dirname(dirname(npm)), join(folder, "usr/local/lib/node_modules/npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(bin, "npm"));
  if (authorities) cpSync(authorities, join(folder, AUTHORITIES));
  return folder;
}
