import { AppError } from "./errors.ts";

/** Does work on the part of a body at `path`; a refusal that the work throws names its faults by their full paths. */
export async function underPath<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const faults = error.details.map((fault) => ({ ...fault, path: fault.path ? `${path}.${fault.path}` : path }));
    const [first] = error.details;
    const isNamed = first !== undefined && first.path !== "" && error.message.startsWith(`${first.path}: `);
    throw new AppError(error.code, `${path}${isNamed ? "." : ": "}${error.message}`, faults);
  }
}
