const builder = new URL("../../bin/documentation.js", import.meta.url).href;

/** Builds the documentation's pages from the current sources, as `npm start` does. */
export async function buildDocumentation(): Promise<void> {
  const { buildDocumentation: build } = (await import(builder)) as {
    buildDocumentation: (node: string) => Promise<boolean>;
  };
  if (!(await build(process.execPath))) throw new Error("The documentation was not built.");
}
