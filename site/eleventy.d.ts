/** The part of Eleventy that the build uses; the package has no types of its own. */
declare module "@11ty/eleventy" {
  export interface EleventyConfig {
    setInputDirectory(folder: string): void;
    setIncludesDirectory(folder: string): void;
    setLibrary(name: "md", library: { render(text: string, env: object): string }): void;
    addGlobalData(name: string, value: unknown): void;
    addTemplate(path: string, text: string, data: object): void;
    addPassthroughCopy(paths: Record<string, string>): void;
  }

  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { quietMode: boolean; configPath: null; config(config: EleventyConfig): void },
    );
    write(): Promise<void>;
  }
}
