/** Answer of a model that speaks for a persona. */
export interface ModelAnswer {
  text: string;
  hangsUp: boolean;
  optsOut: boolean;
}

const MARKER = /\[[^[\]]{0,60}\]/g;
const CONTROL = /\p{Cc}+/gu;
const QUOTED = /^["“„«](?<said>[^"”“»]*)["”“»]$/u;

/** Removes the markers, and everything that cannot be said, from a model's text. */
export function readModelAnswer(answer: string): ModelAnswer {
  const clean = answer.toWellFormed().replaceAll(CONTROL, " ");
  const markers = (clean.match(MARKER) ?? []).map((marker) => marker.toUpperCase().replaceAll(/[^A-Z]/g, ""));
  const bare = clean.replaceAll(MARKER, " ").replaceAll(/\s+/g, " ").trim();
  return {
    text: QUOTED.exec(bare)?.groups?.said?.trim() ?? bare,
    hangsUp: markers.includes("HANGUP"),
    optsOut: markers.includes("OPTOUT"),
  };
}
