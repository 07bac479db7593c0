const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** A server that ran this long after it was ready is started again without a longer wait. */
const LIVED_MS = 10_000;
/** Code of a server that has said why it does not start. */
const REFUSED = 1;
/** Starts one after the other that never got ready, after which whoever supervises this process has to act. */
const MAX_FAILURES = 8;

/**
 * Runs a server as a child and starts it again when it dies: by a signal that nobody sent through us, or with a code
 * other than 0 after it had been ready once ("ready" over its channel). One that ends with 0, that was told to stop, or
 * that refuses its very first start stays ended. One that gets ready is started again however often it dies, after growing
 * waits. Takes `start`, which gives the child, and how many starts in a row may fail (1: nothing is started again); gives how
 * the last one ended.
 */
export async function supervise(
  start,
  { tries = MAX_FAILURES, say, firstWaitMs = FIRST_WAIT_MS, livedMs = LIVED_MS } = {},
) {
  const state = { child: undefined, isStopping: false, wake: () => undefined };
  const pass = (signal) => {
    state.isStopping = true;
    state.child?.kill(signal);
    state.wake();
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  try {
    return await runAgain(start, state, { tries, say, firstWaitMs, livedMs });
  } finally {
    for (const signal of SIGNALS) process.off(signal, pass);
  }
}

async function runAgain(start, state, { tries, say, firstWaitMs, livedMs }) {
  let wasReady = false;
  for (let failures = 0, soonOver = 0; ;) {
    const end = await runOnce(start, state);
    wasReady ||= end.readyMs !== undefined;
    const isOver = end.code === 0 || state.isStopping || (end.signal === null && !wasReady);
    const isExplained = wasReady || state.isStopping || end.code === REFUSED;
    if (isOver && !isExplained && tries > 1) say?.(`the server ended with code ${end.code} before it was ready.`);
    if (isOver) return end;
    failures = end.readyMs === undefined ? failures + 1 : 0;
    soonOver = end.readyMs > livedMs ? 0 : soonOver + 1;
    const what = end.signal ?? `code ${end.code}`;
    if (tries <= 1) return end;
    if (failures >= tries) {
      say?.(`the server did not start ${failures} times in a row, the last time with ${what}; giving up.`);
      return end;
    }
    say?.(`the server ended with ${what}; starting it again ...`);
    await pause(state, Math.min(firstWaitMs * 2 ** soonOver, LONGEST_WAIT_MS));
    if (state.isStopping) return { code: 0, signal: null };
  }
}

/** Gives how it ended, and how long it had been ready by then, if ever. */
function runOnce(start, state) {
  return new Promise((resolve, reject) => {
    let readyAt;
    const child = start();
    state.child = child;
    child.on("error", reject);
    child.on("message", (message) => {
      if (message === "ready") readyAt ??= performance.now();
    });
    child.on("exit", (code, signal) => {
      resolve({ code, signal, readyMs: readyAt === undefined ? undefined : performance.now() - readyAt });
    });
  });
}

function pause(state, ms) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    state.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
