/** What did not happen, by the failure that was thrown. */
const titles = new WeakMap<object, string>();
/** Failures that a person was told of, or that need nobody to be told. */
const sent = new WeakSet<object>();

/** Catches a failure and passes it on with what did not happen, for whoever tells of it. */
export function nameFault(title: string): (fault: unknown) => never {
  return (fault) => {
    if (isObject(fault)) titles.set(fault, title);
    throw fault;
  };
}

/** What did not happen; undefined for a failure that nobody named. */
export function titleOf(fault: unknown): string | undefined {
  return isObject(fault) ? titles.get(fault) : undefined;
}

/** Says that somebody tells of a failure, or that there is nothing to tell. */
export function markReported(fault: unknown): void {
  if (isObject(fault)) sent.add(fault);
}

/** Whether somebody told of a failure. */
export function isReported(fault: unknown): boolean {
  return isObject(fault) && sent.has(fault);
}

function isObject(thrown: unknown): thrown is object {
  return typeof thrown === "object" && thrown !== null;
}
