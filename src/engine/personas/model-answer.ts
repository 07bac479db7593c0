/** What a model wants its person to do. */
export interface ModelAnswer {
  text: string;
  hangsUp: boolean;
  optsOut: boolean;
}

const MARKER = /\[[^[\]]{0,60}\]/g;
const CONTROL = /\p{Cc}+/gu;
const QUOTED = /^["“„«](?<said>[^"”“»]*)["”“»]$/u;

/** Takes the markers out of a model's text, and whatever else in it cannot be said. */
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
