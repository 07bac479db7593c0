import { useEffect, useMemo } from "react";

/** Returns the address of a WAV file that came as base64. The page may not play `data:` addresses; revoke it after use. */
export function toWavUrl(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type: "audio/wav" }));
}

/** The address of a WAV file, for as long as the component is shown; null without one. */
export function useWavUrl(base64: string | null): string | null {
  const url = useMemo(() => (base64 === null ? null : toWavUrl(base64)), [base64]);
  useEffect(
    () => () => {
      if (url !== null) URL.revokeObjectURL(url);
    },
    [url],
  );
  return url;
}
