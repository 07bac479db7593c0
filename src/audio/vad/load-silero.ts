import { access, constants } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { toError } from "#src/platform/kernel/errors.ts";
import { type OrtPackage, SileroSession } from "./silero-session.ts";
import { INPUT_SAMPLES, STATE_SIZE } from "./silero-vad.ts";

const PACKAGE = "onnxruntime-node";
/** Address from which the model may be downloaded. */
export const MODEL_URL = "https://github.com/snakers4/silero-vad/raw/master/src/silero_vad/data/silero_vad.onnx";
/** One thread: calls are already judged together, and more threads cost more than they save. */
const SESSION_OPTIONS = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 };

/** Opens the model of a file and tries it once. Throws with the missing part and the command that fetches it. */
export async function loadSilero(modelPath: string): Promise<SileroSession> {
  await access(modelPath, constants.R_OK).catch(() => {
    throw new Error(
      `The model ${modelPath} cannot be read. Get one: curl --create-dirs -Lo ${quote(modelPath)} ${MODEL_URL}`,
    );
  });
  const ort = await importRuntime(modelPath);
  try {
    const session = new SileroSession(await ort.InferenceSession.create(modelPath, SESSION_OPTIONS), ort);
    const [windows, states] = [new Float32Array(2 * INPUT_SAMPLES), new Float32Array(2 * STATE_SIZE)];
    await session.judge({ count: 2, windows, states, probabilities: new Float32Array(2) });
    return session;
  } catch (error) {
    throw new Error(`The model ${modelPath} cannot be used. ${toError(error).message}`, { cause: error });
  }
}

/** Imports the runtime. It is looked for beside the model first, where it outlives an update of Parley. */
async function importRuntime(modelPath: string): Promise<OrtPackage> {
  const file = [modelPath, import.meta.url].map((from) => findPackage(from)).find((found) => found !== null);
  if (!file) {
    // Its install script fetches libraries for graphics cards unless ONNXRUNTIME_NODE_INSTALL is skip.
    const command = `ONNXRUNTIME_NODE_INSTALL=skip npm install --prefix ${quote(dirname(modelPath))} ${PACKAGE}`;
    throw new Error(`The package ${PACKAGE} is not installed. Install it beside the model: ${command}`);
  }
  try {
    const loaded = (await import(pathToFileURL(file).href)) as OrtPackage | { default: OrtPackage };
    return "default" in loaded ? loaded.default : loaded;
  } catch (error) {
    throw new Error(`The package ${PACKAGE} cannot be loaded. ${toError(error).message}`, { cause: error });
  }
}

function findPackage(from: string): string | null {
  try {
    return createRequire(from).resolve(PACKAGE);
  } catch {
    return null;
  }
}

function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
