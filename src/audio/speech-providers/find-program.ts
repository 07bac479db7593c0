import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** Returns the first program of a name in a list of folders such as PATH; null when there is none. */
export function findProgram(name: string, searchPath: string): string | null {
  // Relative entries would make the program depend on the folder that the service was started in.
  for (const folder of searchPath.split(delimiter).filter(isAbsolute)) {
    const program = join(folder, name);
    try {
      accessSync(program, constants.X_OK);
      return program;
    } catch {
      continue;
    }
  }
  return null;
}
