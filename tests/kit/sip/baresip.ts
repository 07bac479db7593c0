import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseWav } from "#src/audio/codec/wav.ts";
import { freePort } from "../free-port.ts";
import { HOST } from "./sip-harness.ts";

const MODULES = ["account", "menu", "g711", "aufile", "sndfile", "aubridge", "srtp"];

/** A third-party phone that answers by itself, plays a file and keeps what it hears. */
export interface Baresip {
  /** Port for UDP and TCP; TLS uses the next one. */
  port: number;
  /** Returns the audio received, as 8 kHz samples. */
  readHeard(): Promise<Int16Array>;
  close(): Promise<void>;
}

/** Returns the folder in which Debian keeps the modules. */
async function findModules(): Promise<string> {
  for (const folder of ["/usr/lib/baresip/modules", "/usr/local/lib/baresip/modules"]) {
    if (await readdir(folder).catch(() => null)) return folder;
  }
  throw new Error("The modules of baresip are not where Debian puts them.");
}

/** Starts a phone for a user. `wav`: file to play, 8 kHz; `pem`: certificate and key for TLS. */
export async function startBaresip(options: {
  user: string;
  wav: Buffer;
  account?: string;
  pem?: string;
}): Promise<Baresip> {
  const { user, wav, account = "", pem } = options;
  const folder = await mkdtemp(join(tmpdir(), "parley-baresip-"));
  const heard = join(folder, "heard");
  await mkdir(heard);
  const port = await freePort("UDP");
  const file = join(folder, "said.wav");
  const certificate = join(folder, "certificate.pem");
  await writeFile(file, wav);
  if (pem) await writeFile(certificate, pem);
  const config = [
    `sip_listen ${HOST}:${port}`,
    ...(pem ? [`sip_certificate ${certificate}`] : []),
    `audio_source aufile,${file}`,
    "audio_player aubridge,nothing",
    `snd_path ${heard}`,
    "rtp_ports 40000-48000",
    `module_path ${await findModules()}`,
    ...MODULES.map((name) => `${name === "account" || name === "menu" ? "module_app" : "module"} ${name}.so`),
  ];
  await writeFile(join(folder, "config"), `${config.join("\n")}\n`);
  await writeFile(
    join(folder, "accounts"),
    `<sip:${user}@${HOST}>;answermode=auto;regint=0;audio_codecs=PCMU${account}\n`,
  );
  await writeFile(join(folder, "contacts"), "");
  const child = spawn("baresip", ["-4", "-f", folder], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  await untilReady(child);
  return {
    port,
    readHeard: async () => {
      const name = (await readdir(heard)).find((one) => one.includes("-dec"));
      if (name === undefined) throw new Error("baresip kept nothing.");
      return parseWav(await readFile(join(heard, name))).channels[0] ?? new Int16Array();
    },
    close: async () => {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      const hard = setTimeout(() => child.kill("SIGKILL"), 3_000);
      await gone;
      clearTimeout(hard);
    },
  };
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = "";
    const read = (bytes: Buffer): void => {
      text += bytes.toString();
      if (text.includes("baresip is ready")) resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", () => reject(new Error(`baresip ended: ${text}`)));
  });
}
