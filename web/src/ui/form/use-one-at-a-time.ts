import { useRef } from "react";

/** Returns `work` as it is done once at a time: its key is there as well while its button waits. */
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
