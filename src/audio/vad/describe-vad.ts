import { openSileroProcess } from "./silero-process.ts";

/**
 * Returns the voice activity detector in use, for `parley doctor`; opens the model to be sure. Throws with the missing
 * part, or with `fault`: the reason that the running media thread gave up its model.
 */
export async function describeVad(modelPath: string | null, fault: string | null): Promise<string> {
  if (modelPath === null) return "energy; SPEECH_VAD_MODEL adds Silero";
  const model = await openSileroProcess(modelPath);
  model.close();
  if (fault === null) return `Silero, ${modelPath}`;
  throw new Error(`Silero was given up, so that speech is told by energy until the server is started again. ${fault}`);
}
