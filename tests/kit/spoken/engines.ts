import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { findFliteProgram, type FliteProgram } from "#src/audio/speech-providers/flite/flite.ts";
import { findSphinx, type Sphinx } from "#src/audio/speech-providers/sphinx/sphinx.ts";

/** The local engines, and the number of their processes at work. */
export interface LocalEngines {
  sphinx: Sphinx;
  flite: FliteProgram;
  readonly isBusy: boolean;
}

/** Voices of every caller here, and of the agent: the latter is flite's default. */
export const CALLER_VOICE = "rms";
export const AGENT_VOICE = "slt";

/** Returns the local engines, or the names of the programs that are missing. */
export async function findLocalEngines(): Promise<LocalEngines | string> {
  const searchPath = process.env["PATH"] ?? "";
  const [sphinx, flite] = await Promise.all([findSphinx({ searchPath }), findFliteProgram({ searchPath })]);
  if (!sphinx || !flite) return [sphinx ? [] : "pocketsphinx", flite ? [] : "flite"].flat().join(" and ");
  let atWork = 0;
  const watch = async <Result>(work: Promise<Result>): Promise<Result> => {
    atWork++;
    try {
      return await work;
    } finally {
      atWork--;
    }
  };
  return {
    sphinx: {
      isKnown: (word) => sphinx.isKnown(word),
      hear: (samples, grammar, signal) => watch(sphinx.hear(samples, grammar, signal)),
    },
    flite: { voices: flite.voices, say: (text, voice, signal) => watch(flite.say(text, voice, signal)) },
    get isBusy() {
      return atWork > 0;
    },
  };
}

/** Returns audio as it sounds over a telephone line. */
export function overMuLaw(samples: Int16Array): Int16Array {
  return decodeMuLaw(encodeMuLaw(samples));
}
