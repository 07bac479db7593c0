import { findFliteProgram, type FliteProgram } from "./flite/flite.ts";
import { sweepScratchFolders } from "./scratch-folder.ts";
import { findSphinx, type Sphinx } from "./sphinx/sphinx.ts";

/** Local programs for STT and TTS. */
export interface SpeechPrograms {
  sphinx: Sphinx | null;
  flite: FliteProgram | null;
}

/** Finds the programs in folders such as PATH. Their trials have begun when it returns: they run beside other work. */
export async function findSpeechPrograms(searchPath: string): Promise<SpeechPrograms> {
  const found = [findSphinx({ searchPath }), findFliteProgram({ searchPath })] as const;
  const [sphinx, flite] = await Promise.all(found);
  if (sphinx || flite) await sweepScratchFolders();
  return { sphinx, flite };
}
