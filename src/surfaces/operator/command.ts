/** An operator command: a body in, a JSON value out. */
export type Command = (body: Record<string, unknown>) => Promise<unknown>;
