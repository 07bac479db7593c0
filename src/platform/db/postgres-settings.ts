import { SOCKET_PORT } from "./postgres-folder.ts";

/** Returns the arguments with which `postgres` runs on the folder `data`: `more` are settings beside the usual ones. */
export function serverArguments(data: string, socketFolder: string, more: Record<string, string> = {}): string[] {
  const settings = Object.entries({ ...serverSettings(socketFolder), ...more });
  return ["-D", data, "-p", String(SOCKET_PORT), ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

/**
 * Returns the settings of the embedded server: two cores, a few hundred MB, one program that uses it. Passed on the
 * command line, so that a new release changes them without touching the data folder.
 */
function serverSettings(socketFolder: string): Record<string, string> {
  return {
    // Reached through a 0700 folder only: authentication is the file system's.
    listen_addresses: "",
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    max_connections: "200",
    // A killed Node must not leave a long statement running with its locks.
    client_connection_check_interval: "2s",

    shared_buffers: "128MB",
    work_mem: "8MB",
    maintenance_work_mem: "128MB",
    jit: "off",
    random_page_cost: "1.1",
    // A report must not take both cores from live calls; /dev/shm of a container is too small for it as well.
    max_parallel_workers_per_gather: "0",
    max_parallel_maintenance_workers: "0",
    io_workers: "2",

    // Writes that were answered are on the disk. Nothing replicates, so the log is as short as possible.
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    wal_level: "minimal",
    max_wal_senders: "0",
    wal_buffers: "16MB",
    // An import's megabytes reach the disk in small pieces, and a request's commit waits for one of them only.
    wal_writer_delay: "10ms",
    // A job of 1,000,000 rows writes about 600 MB; it fits between two checkpoints.
    max_wal_size: "2GB",
    min_wal_size: "80MB",
    // Claimed and finished rows leave dead ones behind at the rate of dispatch.
    autovacuum_naptime: "10s",

    timezone: "UTC",
    log_timezone: "UTC",
    // Errors go to the client, which knows what to hide; in the log they would carry people's data.
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_checkpoints: "off",
    checkpoint_warning: "0",
    log_autovacuum_min_duration: "-1",
    log_lock_waits: "off",
  };
}
