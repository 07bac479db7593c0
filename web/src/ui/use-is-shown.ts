import { type RefObject, useEffect, useRef } from "react";

/** Whether the component is still there, for what goes on after an answer that may come late. */
export function useIsShown(): RefObject<boolean> {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}
