import type pg from "pg";

/** Returns the connection URL of a PostgreSQL that listens on a socket in the folder `host`, for another process. */
export function socketUrl({ user, host = "", port, database }: pg.ClientConfig): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}
