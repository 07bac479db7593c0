import { recognisedLanguage } from "#src/audio/speech-providers/primary-language.ts";

/**
 * Languages with a region or a script that Deepgram lists for nova-2 and nova-3 (developers.deepgram.com, "Models &
 * Languages Overview"); it refuses every other, such as de-DE. For Arabic the primary language is enough.
 */
const REGIONAL = new Map(
  "da-DK de-CH en-AU en-GB en-IN en-NZ en-US es-419 fr-CA ko-KR nl-BE pt-BR pt-PT sv-SE th-TH zh-CN zh-HK zh-Hans zh-Hant zh-TW"
    .split(" ")
    .map((code) => [code.toLowerCase(), code]),
);
/** Regions whose Spanish is that of the Americas, which Deepgram lists as one (UN M.49: 419). */
const AMERICAN_SPANISH = /^es-(?:ar|bo|br|bz|cl|co|cr|cu|do|ec|gt|hn|mx|ni|pa|pe|pr|py|sv|us|uy|ve)(?:-|$)/;

/** Returns Deepgram's code of a BCP 47 language: the longest part of it that Deepgram lists. */
export function toDeepgramLanguage(language: string): string {
  const tag = language.toLowerCase();
  if (AMERICAN_SPANISH.test(tag)) return "es-419";
  const subtags = tag.split("-");
  for (let length = subtags.length; length > 1; length--) {
    const listed = REGIONAL.get(subtags.slice(0, length).join("-"));
    if (listed !== undefined) return listed;
  }
  return recognisedLanguage(language);
}
