import { openSileroProcess } from "./silero-process.ts";

/**
 * Which detector of voices is used, for `parley doctor`; opens the model to be sure. Throws with what is missing, or
 * with `fault`: why the media thread that runs gave its model up.
 */
export async function describeVad(modelPath: string | null, fault: string | null): Promise<string> {
  if (modelPath === null) return "energy; SPEECH_VAD_MODEL adds Silero";
  const model = await openSileroProcess(modelPath);
  model.close();
  if (fault === null) return `Silero, ${modelPath}`;
  throw new Error(`Silero was given up, so that speech is told by energy until the server is started again. ${fault}`);
}
