import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { build, command, container } from "./image.ts";
import { run, serve } from "./service.ts";
import { ofMachine, readPairs, readSettingsFile } from "./settings.ts";

/** Stands for docker, as far as the documentation uses it; an option that it does not know is refused. */
export function docker([name, ...args]: string[]): Promise<number> | number {
  if (name === "build") return buildImage(args);
  if (name === "run") return runContainer(args);
  if (name === "compose") return compose(args);
  throw new Error(`no command ${name ?? ""}`);
}

function buildImage(args: string[]): number {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: { tag: { type: "string" } } });
  const [folder = ""] = positionals;
  build(folder);
  return 0;
}

async function runContainer(args: string[]): Promise<number> {
  const place = args.findIndex((word) => /^[\w./-]*parley(:\w+)?$/.test(word));
  if (place === -1) throw new Error("no image is named");
  const { values } = parseArgs({
    args: args.slice(0, place),
    options: {
      rm: { type: "boolean" },
      "read-only": { type: "boolean" },
      tmpfs: { type: "string" },
      "stop-timeout": { type: "string" },
      publish: { type: "string" },
      env: { type: "string", multiple: true },
    },
  });
  if (values.publish && !/^[\d.]+:\d+:8080$/.test(values.publish))
    throw new Error(`nothing listens: ${values.publish}`);
  return run(container(args.slice(place + 1), readPairs(values.env)));
}

interface ComposeFile {
  services: { parley: { build: string; environment: Record<string, string | number> } };
}

async function compose([name, ...args]: string[]): Promise<number> {
  const { parley } = readCompose().services;
  const state = join(ofMachine("MACHINE"), "compose.json");
  if (name === "up") {
    const options = { detach: { type: "boolean" }, build: { type: "boolean" } } as const;
    const { values } = parseArgs({ args, options });
    if (values.build) build(parley.build);
    const env = toEnvironment(parley.environment);
    await serve(container([], env));
    writeFileSync(state, JSON.stringify(env));
    return 0;
  }
  if (name === "build" && args.length === 0) {
    build(parley.build);
    return 0;
  }
  if (name === "run") {
    const options = { rm: { type: "boolean" }, "no-deps": { type: "boolean" } } as const;
    const { positionals } = parseArgs({ args, options, allowPositionals: true });
    const [service, ...words] = positionals;
    if (service !== "parley") throw new Error(`no service ${service}`);
    return run(container(words, toEnvironment(parley.environment)));
  }
  const [service, program, ...rest] = args;
  if (name !== "exec" || service !== "parley" || program !== "parley")
    throw new Error(`cannot ${name} ${args.join(" ")}`);
  if (!existsSync(state)) throw new Error('service "parley" is not running');
  return run(command(rest, JSON.parse(readFileSync(state, "utf8")) as Record<string, string>));
}

/** Reads compose.yml of the current folder with the variables of .env, as docker compose does. */
function readCompose(): ComposeFile {
  const settings = readSettingsFile(".env");
  const fillIn = (text: string) =>
    text.replaceAll(/\$\{([A-Z_]+)(:[-?])([^}]*)\}/g, (_, name: string, how: string, other: string) => {
      if (settings[name]) return settings[name];
      if (how === ":?") throw new Error(`required variable ${name} is missing a value: ${other}`);
      return other;
    });
  return parse(readFileSync("compose.yml", "utf8"), (_, value: unknown) =>
    typeof value === "string" ? fillIn(value) : value,
  ) as ComposeFile;
}

/** The database of the tests stands for the service `postgres`. */
function toEnvironment(given: Record<string, string | number>): Record<string, string> {
  if (!/^postgres:\/\/parley:\w+@postgres:5432\/parley$/.test(String(given.DATABASE_URL)))
    throw new Error(`no database at ${given.DATABASE_URL}`);
  const texts = Object.entries(given).map(([name, value]) => [name, String(value)]);
  return { ...(Object.fromEntries(texts) as Record<string, string>), DATABASE_URL: ofMachine("MACHINE_DATABASE_URL") };
}
