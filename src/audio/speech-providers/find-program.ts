import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** Returns the first program of a name in a list of folders such as PATH; null when there is none. */
export async function findProgram(name: string, searchPath: string): Promise<string | null> {
  // Relative entries would make the program depend on the folder that the service was started in.
  for (const folder of searchPath.split(delimiter).filter(isAbsolute)) {
    const program = join(folder, name);
    try {
      await access(program, constants.X_OK);
      return program;
    } catch {
      continue;
    }
  }
  return null;
}
