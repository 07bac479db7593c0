import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";

const BEAT_MS = 1_000;
/** A holder touches its lock every second; one that has not for this long is dead. */
const STALE_MS = 15_000;

/** Runs `work` while holding the lock file, so that two starts at once do not install into each other. */
export async function withLock(path, work) {
  let hasSaid = false;
  while (!tryLock(path)) {
    if (!hasSaid) process.stderr.write("parley: another start is at this; waiting for it ...\n");
    hasSaid = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const beat = setInterval(() => touch(path), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    if (isOurs(path)) rmSync(path, { force: true });
  }
}

/** Shows that this process is alive. One that stood still for long counts as dead, and its lock may be gone. */
function touch(path) {
  try {
    if (isOurs(path)) utimesSync(path, new Date(), new Date());
  } catch {
    // The work goes on without it.
  }
}

function isOurs(path) {
  try {
    return readFileSync(path, "utf8") === String(process.pid);
  } catch {
    return false;
  }
}

function tryLock(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  if (isHeld(path)) return false;
  rmSync(path, { force: true });
  return tryLock(path);
}

function isHeld(path) {
  try {
    if (Date.now() - statSync(path).mtimeMs > STALE_MS) return false;
    const holder = Number(readFileSync(path, "utf8"));
    if (holder === 0) return true;
    process.kill(holder, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
