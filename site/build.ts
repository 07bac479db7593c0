import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import Eleventy, { type EleventyConfig } from "@11ty/eleventy";
import { build } from "vite";
import { BASE, type GuidePage, type GuideSection, readSections, ROOT } from "./contents.ts";
import { listHeadings, listPassages } from "./headings.ts";
import { findDeadLinks } from "./links-check.ts";
import { createMarkdown, type Links } from "./markdown.ts";

const SITE = import.meta.dirname;

/**
 * `node site/build.ts FOLDER`: builds the documentation for /docs/guides into a folder; fails when a link is dead.
 * DOCS_REPOSITORY, such as https://git.example.com/parley/blob/main, is where its sources can be read and edited.
 */
async function main(output: string): Promise<void> {
  const sections = readSections();
  const pages = sections.flatMap((section) => section.pages);
  const links: Links = {
    pages: new Map<string, Pick<GuidePage, "slug" | "title">>([
      ["docs/README.md", { slug: "", title: "Documentation" }],
      ...pages.map((page) => [page.source, page] as const),
    ]),
    repository: process.env.DOCS_REPOSITORY,
    pictures: new Map(),
    faults: [],
  };
  const assets = { ...(await buildClient(output)), search: writeSearch(output, pages, links) };
  const configure = (config: EleventyConfig) => configureSite(config, sections, links, assets);
  await new Eleventy(relative(process.cwd(), join(SITE, "pages")), relative(process.cwd(), output), {
    quietMode: true,
    configPath: null,
    config: configure,
  }).write();
  for (const [target, source] of links.pictures) copy(join(ROOT, source), join(output, target));
  copy(join(ROOT, "web/public/favicon.svg"), join(output, "assets/favicon.svg"));
  const faults = [...links.faults, ...findDeadLinks(output)];
  if (faults.length > 0) throw new Error(`Links that lead nowhere:\n${faults.join("\n")}`);
}

/** Builds scripts and styles with Vite; returns their addresses. */
async function buildClient(output: string): Promise<{ script: string; theme: string; style: string }> {
  await build({
    configFile: false,
    root: join(SITE, "client"),
    base: `${BASE}/`,
    logLevel: "warn",
    publicDir: false,
    build: {
      outDir: output,
      emptyOutDir: true,
      target: "es2023",
      cssTarget: "chrome123",
      manifest: "manifest.json",
      // Names the packages in the scripts, with the licences that ask for that.
      license: { fileName: "licences.md" },
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: { input: [join(SITE, "client/main.ts"), join(SITE, "client/theme.ts")] },
    },
  });
  const path = join(output, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Record<string, { file: string; css?: string[] }>;
  rmSync(path);
  const addressOf = (file = "") => `${BASE}/${file}`;
  return {
    script: addressOf(manifest["main.ts"]?.file),
    theme: addressOf(manifest["theme.ts"]?.file),
    style: addressOf(manifest["main.ts"]?.css?.[0]),
  };
}

/** Writes what the search reads, all passages of all pages; returns its address. */
function writeSearch(output: string, pages: GuidePage[], links: Links): string {
  const markdown = createMarkdown({ ...links, faults: [] });
  const passages = pages.flatMap(({ slug, title, source, text }) =>
    listPassages(markdown.parse(text, { source })).map((passage) => ({ slug, title, ...passage })),
  );
  const content = JSON.stringify(passages);
  const name = `assets/search-${createHash("sha256").update(content).digest("hex").slice(0, 10)}.json`;
  writeFileSync(join(output, name), content);
  const guides = pages.map(({ slug, title, summary }) => ({ path: `${BASE}/${slug}`, title, summary }));
  writeFileSync(join(output, "guides.json"), JSON.stringify(guides));
  return `${BASE}/${name}`;
}

function configureSite(config: EleventyConfig, sections: GuideSection[], links: Links, assets: object): void {
  const markdown = createMarkdown(links);
  config.setIncludesDirectory("../layouts");
  config.setLibrary("md", markdown);
  config.addGlobalData("site", { base: BASE, sections, assets });
  const all = sections.flatMap((section) => section.pages.map((page) => ({ page, section: section.title })));
  for (const [i, { page, section }] of all.entries()) {
    const { source, slug, title, summary, text } = page;
    config.addTemplate(`${slug}.md`, text, {
      layout: "page.liquid",
      permalink: `${slug}.html`,
      // The pages have {{ variables }} of flows, which are none of the templates.
      templateEngineOverride: "md",
      source,
      slug,
      title,
      summary,
      section,
      edit: links.repository && `${links.repository}/${source}`,
      headings: listHeadings(markdown.parse(text, { source })),
      previous: all[i - 1]?.page,
      next: all[i + 1]?.page,
    });
  }
}

function copy(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(source, target);
}

await main(resolve(process.argv[2] ?? join(SITE, "dist")));
