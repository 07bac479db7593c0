import { type RefObject, useEffect, useRef } from "react";

/** Reference that is true while the component is mounted; for code that runs after a late reply. */
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
