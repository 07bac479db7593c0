/** Media types by file extension, for the formats that providers recognise by extension. */
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

/**
 * File name and media type under which audio is sent to a provider. The name is ours, with an extension that matches.
 */
export interface AudioFormat {
  name: string;
  mediaType: string;
}

/**
 * Returns the format by the file name's extension, else by the declared media type, else WAV: providers go by the name
 * and refuse a file without an extension. Only the extension of the sender's name is used.
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

/** Returns the last part of a URL's path, decoded where possible. */
export function fileNameOfUrl(address: string): string | null {
  const last = URL.parse(address)?.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last) || null;
  } catch {
    return last || null;
  }
}
