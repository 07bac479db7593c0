/**
 * Returns a message whose commands can be copied: `parley …` is `npx parley …` for somebody who started this program by
 * npx, as in the server's checkout, where nothing else has that name.
 */
export function nameAsTyped(text: string, env: Record<string, string | undefined>): string {
  if (env.npm_command !== "exec" || env.npm_lifecycle_event !== "npx") return text;
  return text.replaceAll(/(?<![\w./@-])(?<!npx )parley (?=[a-z]|--[a-z])/g, "npx parley ");
}
