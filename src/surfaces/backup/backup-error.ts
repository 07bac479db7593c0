/** An outside reason for which a backup was not made, is not whole, or was not restored; the message says what to do. */
export class BackupError extends Error {}
