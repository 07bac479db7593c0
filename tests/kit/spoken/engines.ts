import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { findFliteProgram, type FliteProgram } from "#src/audio/speech-providers/flite/flite.ts";
import { findSphinx, type Sphinx } from "#src/audio/speech-providers/sphinx/sphinx.ts";

/** The local engines, and how many of their processes are at work. */
export interface LocalEngines {
  sphinx: Sphinx;
  flite: FliteProgram;
  readonly isBusy: boolean;
}

/** The voice of everybody who calls here, and that of the agent, which is flite's default here. */
export const CALLER_VOICE = "rms";
export const AGENT_VOICE = "slt";

/** The local engines, or the names of the programs that are missing. */
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

/** What a telephone line leaves of a sound. */
export function overMuLaw(samples: Int16Array): Int16Array {
  return decodeMuLaw(encodeMuLaw(samples));
}
