import { existsSync, writeFileSync } from "node:fs";

/** Debian's libfaketime. */
const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

/** True where clocks can be shifted: Debian's package faketime is there. */
export function canShiftClocks(): boolean {
  return existsSync(FAKETIME);
}

/** Returns the environment of a process whose clock `shiftClock` moves by the file; empty without libfaketime. */
export function shiftableClock(path: string): Record<string, string> {
  if (!canShiftClocks()) return {};
  shiftClock(path, 0);
  return {
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: path,
    FAKETIME_CACHE_DURATION: "1",
    // The monotonic clock of a machine does not jump when somebody sets its time.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    DONT_FAKE_MONOTONIC: "1",
  };
}

/** Sets the clocks of the processes that follow a file to the machine's plus `seconds`, within a second. */
export function shiftClock(path: string, seconds: number): void {
  writeFileSync(path, `${seconds < 0 ? "" : "+"}${seconds}\n`);
}
