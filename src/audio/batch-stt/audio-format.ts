/** Media types by the file name's ending, for formats that providers name by it. */
const BY_ENDING: Record<string, string> = {
  flac: "audio/flac",
  mp3: "audio/mpeg",
  mp4: "audio/mp4",
  mpeg: "audio/mpeg",
  mpga: "audio/mpeg",
  m4a: "audio/mp4",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  opus: "audio/ogg",
  wav: "audio/wav",
  webm: "audio/webm",
  amr: "audio/amr",
  aac: "audio/aac",
};

const ENDINGS: Record<string, string> = {
  "audio/flac": "flac",
  "audio/x-flac": "flac",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
  "audio/mp4": "m4a",
  "audio/x-m4a": "m4a",
  "video/mp4": "mp4",
  "audio/ogg": "ogg",
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/wave": "wav",
  "audio/vnd.wave": "wav",
  "audio/webm": "webm",
  "video/webm": "webm",
  "audio/aac": "aac",
  "audio/amr": "amr",
};

/** How audio is announced to a provider: a name of ours with a telling ending, and a media type. */
export interface AudioFormat {
  name: string;
  mediaType: string;
}

/**
 * Tells the format by the name's ending, else by the declared type, else calls it WAV: providers tell by the name
 * and refuse a file without an ending. Nothing of the sender's name but the ending is used.
 */
export function nameFormat(fileName: string | null, mediaType: string): AudioFormat {
  const byName = /\.([a-z0-9]{1,5})$/i.exec(fileName ?? "")?.[1]?.toLowerCase() ?? "";
  const declared = mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const ending = Object.hasOwn(BY_ENDING, byName)
    ? byName
    : Object.hasOwn(ENDINGS, declared)
      ? (ENDINGS[declared] as string)
      : "wav";
  return { name: `recording.${ending}`, mediaType: BY_ENDING[ending] as string };
}

/** The last part of an address's path, as far as it can be read. */
export function fileNameOfUrl(address: string): string | null {
  const last = URL.parse(address)?.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last) || null;
  } catch {
    return last || null;
  }
}
