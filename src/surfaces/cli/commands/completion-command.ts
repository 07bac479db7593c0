import { Argument, type Command } from "commander";
import type { Run } from "#src/surfaces/cli/run.ts";

/** Words that may follow one path of commands. */
interface Words {
  path: string[];
  commands: string[];
  options: string[];
}

/** Adds `completion SHELL`, which prints a script for the shell to read. */
export function addCompletionCommand(program: Command, run: Run): void {
  program
    .command("completion")
    .description("print the completion script of a shell")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      "\nbash and zsh:  source <(parley completion bash)\nfish:          parley completion fish | source",
    )
    .action(async (shell: "bash" | "zsh" | "fish") => {
      const script = renderCompletion(program, shell);
      await run.print({ shell, script }, script);
    });
}

/** Returns the script for a shell, made from the program's own commands and options. */
export function renderCompletion(program: Command, shell: "bash" | "zsh" | "fish"): string {
  const words = gather(program, []);
  if (shell === "fish") return renderFish(words);
  const start = shell === "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
  return start + renderBash(words);
}

function gather(command: Command, path: string[]): Words[] {
  const own: Words = {
    path,
    commands: command.commands.map((sub) => sub.name()),
    options: command.options.flatMap((option) => option.long ?? []),
  };
  return [own, ...command.commands.flatMap((sub) => gather(sub, [...path, sub.name()]))];
}

function renderBash(words: Words[]): string {
  const common = words[0]?.options ?? [];
  const cases = words.map(({ path, commands, options }) => {
    const choices = [...commands, ...new Set([...options, ...common, "--help"])];
    return `    "${path.join(" ")}") words="${choices.join(" ")}" ;;`;
  });
  const known = words.filter(({ path }) => path.length > 0).map(({ path }) => `"${path.join(" ")}"`);
  return [
    "_parley() {",
    '  local path="" words="" word i next',
    "  for ((i = 1; i < COMP_CWORD; i++)); do",
    '    word="${COMP_WORDS[i]}"',
    '    next="${path:+$path }$word"',
    `    case "$next" in ${known.join("|")}) path="$next" ;; esac`,
    "  done",
    '  case "$path" in',
    ...cases,
    "  esac",
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '  if [[ ${#COMPREPLY[@]} -eq 0 && "$path" == "jobs create" ]]; then',
    '    COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))',
    "  fi",
    "}",
    "complete -F _parley parley",
  ].join("\n");
}

function renderFish(words: Words[]): string {
  return words
    .flatMap(({ path, commands, options }) => {
      const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
      const condition = path.length === 0 ? "__fish_use_subcommand" : seen.join("; and ");
      const names =
        commands.length > 0 && path.length < 2
          ? [`complete -c parley -f -n '${condition}' -a '${commands.join(" ")}'`]
          : [];
      const flags = options.map((option) => {
        const where = path.length === 0 ? "" : ` -n '${condition}'`;
        return `complete -c parley${where} -l ${option.replace(/^--/, "")}`;
      });
      return [...names, ...flags];
    })
    .join("\n");
}
