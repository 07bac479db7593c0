import { useRef } from "react";

/**
 * Returns a function that does `work`, and nothing while an earlier call is under way: a key can be pressed again while
 * its button waits.
 */
export function useOneAtATime<Inputs extends unknown[]>(
  work: (...inputs: Inputs) => Promise<void>,
): (...inputs: Inputs) => Promise<void> {
  const isUnderWay = useRef(false);
  return async (...inputs) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    await work(...inputs).finally(() => {
      isUnderWay.current = false;
    });
  };
}
