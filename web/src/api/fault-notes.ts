/** Titles that say what did not happen, by the thrown error. */
const titles = new WeakMap<object, string>();
/** Errors that were shown to a person or need not be shown. */
const sent = new WeakSet<object>();

/** Returns a handler that notes a title for the error and throws it again. */
export function nameFault(title: string): (fault: unknown) => never {
  return (fault) => {
    if (isObject(fault)) titles.set(fault, title);
    throw fault;
  };
}

/** Title of the error; undefined when none was noted. */
export function titleOf(fault: unknown): string | undefined {
  return isObject(fault) ? titles.get(fault) : undefined;
}

/** Marks an error as reported, or as one that need not be reported. */
export function markReported(fault: unknown): void {
  if (isObject(fault)) sent.add(fault);
}

/** True when the error was marked as reported. */
export function isReported(fault: unknown): boolean {
  return isObject(fault) && sent.has(fault);
}

function isObject(thrown: unknown): thrown is object {
  return typeof thrown === "object" && thrown !== null;
}
