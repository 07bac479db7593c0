import type { SentimentLanguage } from "#src/engine/sentiment/language.ts";
import { EN } from "./english.ts";
import { FR } from "./french.ts";
import { DE } from "./german.ts";
import { ES } from "./spanish.ts";
import { SV } from "./swedish.ts";

/** The languages of the engine's own phrases. */
export const LANGUAGES: readonly SentimentLanguage[] = [EN, ES, DE, FR, SV];
