import type { OptOutLanguage } from "#src/engine/opt-out/language.ts";
import { CS } from "./czech.ts";
import { DA } from "./danish.ts";
import { NL } from "./dutch.ts";
import { EN } from "./english.ts";
import { FI } from "./finnish.ts";
import { FR } from "./french.ts";
import { DE } from "./german.ts";
import { IT } from "./italian.ts";
import { NO } from "./norwegian.ts";
import { PL } from "./polish.ts";
import { PT } from "./portuguese.ts";
import { ES } from "./spanish.ts";
import { SV } from "./swedish.ts";
import { TR } from "./turkish.ts";

/** Every language in which an opt-out is recognised, English first. */
export const LANGUAGES: readonly OptOutLanguage[] = [EN, DE, ES, FR, IT, NL, PT, SV, DA, NO, PL, FI, TR, CS];
