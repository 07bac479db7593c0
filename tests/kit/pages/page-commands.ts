import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProgramEnd, runProgram } from "../python.ts";
import { ROOT } from "../repository.ts";
import type { Block } from "./blocks.ts";

/** Marks the end of a block in the output. */
const MARK = "\u001e";

/** Environment of the commands of a page. */
export interface PageSettings {
  /** Environment of its terminal, beside that of the tests. */
  env: Record<string, string>;
  /** Texts of the page, and those of the test's server that replace them, such as ids. */
  insteadOf: Record<string, string>;
  /** Files that the reader has. */
  files?: Record<string, string>;
}

/** End of a page's commands, and the output of each of its blocks that ran. */
export interface PageEnd extends ProgramEnd {
  outputs: string[];
}

/** Runs the commands of a page in one terminal and an empty folder, one block after the other, up to the first fault. */
export async function runCommands(blocks: Block[], { env, insteadOf, files = {} }: PageSettings): Promise<PageEnd> {
  const folder = mkdtempSync(join(tmpdir(), "parley-page-"));
  const home = join(folder, ".home");
  makePrograms(join(home, "bin"));
  const fill = (text: string) =>
    Object.entries(insteadOf).reduce((filled, [from, to]) => filled.replaceAll(from, to), text);
  const written = blocks.flatMap(({ test, text }) => (test.kind === "FILE" ? [[test.what, text] as const] : []));
  for (const [name, text] of [...Object.entries(files), ...written]) writeFileSync(join(folder, name), fill(text));
  const commands = blocks.filter(({ test }) => test.kind === "COMMANDS");
  const script = [OPENING, ...commands.flatMap(({ text }) => [fill(text), AFTER_BLOCK])].join("\n");
  const { code, output } = await runProgram("bash", ["-c", script], {
    cwd: folder,
    env: { ...env, HOME: home, PATH: `${join(home, "bin")}:${process.env.PATH ?? ""}` },
  });
  return { code, output, outputs: output.split(`${MARK}\n`).slice(0, commands.length) };
}

/* The first fault ends the terminal, as do the programs that were left running in it. A reader copies the key from the
   output of `workspace create`; here it comes from the profile that the command saved. */
const OPENING = `
set -euo pipefail
exec 2>&1
trap 'for left in $(jobs -p); do kill $left; done' EXIT
given_key=\${PARLEY_API_KEY-}
take_key() {
  local profile=$HOME/.config/parley/profile.json
  if [ -e $profile ] && [ -z "$given_key" ]; then
    export PARLEY_API_KEY=$(node -p "JSON.parse(fs.readFileSync('$profile', 'utf8')).profiles[0].apiKey")
  fi
}`;
const AFTER_BLOCK = `take_key; printf '${MARK}\\n'`;

/** Makes the programs that a reader has: Node, and the checkout's command line as `npx parley` and `parley`. */
function makePrograms(folder: string): void {
  mkdirSync(folder, { recursive: true });
  symlinkSync(process.execPath, join(folder, "node"));
  const main = join(ROOT, "src/main.ts");
  // The people of a new workspace talk at once. Some of a demo job are not there: that is no fault of its page.
  const parley = `speed=
[ "$1 $2" = "workspace create" ] && case "$*" in *LIVE*) ;; *) speed="--sandbox-speed instant" ;; esac
case "$*" in
  *--secrets-stdin*) ;;
  "carrier add "*) # A terminal on which each secret is typed once it is asked for.
    rm -f "$HOME/ended"; : > "$HOME/screen"
    eval typed=\\$TYPED_$3
    { asked=0
      for word in $typed; do
        asked=$((asked + 1))
        until [ "$(grep -c "not shown" "$HOME/screen")" -ge $asked ] || [ -e "$HOME/ended" ]; do sleep 0.2; done
        sleep 0.2; echo "$word"
      done
      sleep 1
    } | {
      script --quiet --flush --return --command "'${process.execPath}' '${main}' $*" "$HOME/screen" || code=$?
      touch "$HOME/ended"
      exit \${code-0}
    }
    exit $? ;;
esac
"${process.execPath}" "${main}" "$@" $speed || code=$?
[ "$1 $2 \${code-}" = "jobs create 6" ] || exit \${code-0}`;
  for (const [name, text] of [
    ["parley", parley],
    ["npx", `[ "$1" = parley ] || exit 1\nshift\nexec parley "$@"`],
  ] as const)
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}
