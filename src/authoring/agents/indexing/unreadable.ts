/** Error for a source that cannot be indexed; its message is written for the source's owner. */
export class UnreadableError extends Error {}
