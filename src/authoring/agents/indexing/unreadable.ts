/** Why a source cannot be indexed, in words for its owner. */
export class UnreadableError extends Error {}
