/** Returns the folder for files made once for a whole run of the tests. */
export function runFolder(): string {
  const folder = process.env.PARLEY_TEST_FOLDER;
  if (!folder) throw new Error("tests/kit/global-setup.ts has not run");
  return folder;
}

let built: Promise<string> | undefined;

/**
 * Returns the main file of the server's bundle of the current sources, which `npm start` runs as well. It is made once,
 * and starts with a third of the work of the 2,000 modules, which matters where servers are killed a hundred times.
 */
export function bundleServer(): Promise<string> {
  return (built ??= build());
}

async function build(): Promise<string> {
  // A module without types.
  const builder = new URL("../../bin/server-bundle.js", import.meta.url).href;
  const { bundleServer: bundle } = (await import(builder)) as {
    bundleServer: (node: string) => Promise<string | undefined>;
  };
  const main = await bundle(process.execPath);
  if (main === undefined) throw new Error("The server was not bundled.");
  return main;
}
