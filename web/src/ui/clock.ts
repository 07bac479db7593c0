import { useEffect, useState } from "react";

const SECOND_MS = 1_000;

/** The time in milliseconds, every second while it runs: for durations that grow. */
export function useClock(isRunning: boolean): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return nowMs;
}
