import type { Found, openIndex } from "./search-index.ts";

type Find = Awaited<ReturnType<typeof openIndex>>;

const AROUND = 70;
const { base = "", search: address = "" } = document.body.dataset;

/** Lets the button, Ctrl K and / open the search; its index is loaded then. */
export function startSearch(): void {
  const dialog = document.querySelector<HTMLDialogElement>("#search");
  const input = dialog?.querySelector("input");
  if (!dialog || !input) return;
  let index: Promise<Find> | undefined;
  const run = async () => {
    index ??= import("./search-index.ts").then(({ openIndex }) => openIndex(address));
    try {
      const find = await index;
      show(dialog, input.value.trim(), find);
    } catch {
      index = undefined;
      say(dialog, "The search could not be loaded. Type again to try once more.");
    }
  };
  const open = () => {
    if (!dialog.open) dialog.showModal();
    input.select();
    void run();
  };
  for (const button of document.querySelectorAll<HTMLElement>("[data-open-search]")) {
    button.hidden = false;
    button.addEventListener("click", open);
  }
  dialog.querySelector("[data-close-search]")?.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", ({ target }) => {
    // The results close it too: one may lead to another part of this page.
    if (target === dialog || (target as Element).closest(".results a")) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => moveFocus(dialog, event));
  input.addEventListener("input", () => void run());
  document.addEventListener("keydown", (event) => {
    const isTyping = (event.target as Element).matches("input, textarea, select");
    const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
    if (!isCommand && (event.key !== "/" || isTyping)) return;
    event.preventDefault();
    open();
  });
}

/** The arrows go from the field through the results; Enter in the field opens the first. */
function moveFocus(dialog: HTMLDialogElement, event: KeyboardEvent): void {
  const stops = [...dialog.querySelectorAll<HTMLElement>("input, .results a")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Enter" && at === 0) stops[1]?.click();
  if (step === undefined || at === -1) return;
  event.preventDefault();
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
}

function show(dialog: HTMLDialogElement, words: string, find: Find): void {
  const found = words === "" ? [] : find(words);
  dialog.querySelector(".results")?.replaceChildren(...found.map(toItem));
  if (words === "") say(dialog, "Type a word, a field, a code or a setting.");
  else say(dialog, found.length === 0 ? `Nothing found for “${words}”.` : `${found.length} found`);
}

function say(dialog: HTMLDialogElement, text: string): void {
  const state = dialog.querySelector(".search-state");
  if (state) state.textContent = text;
}

function toItem({ slug, anchor, title, heading, text, words }: Found): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = `${base}/${slug}${anchor === "" ? "" : `#${anchor}`}`;
  const name = document.createElement("strong");
  name.append(...mark(heading === "" ? title : `${title} › ${heading}`, words));
  const excerpt = document.createElement("span");
  excerpt.append(...mark(cut(text, words), words));
  link.append(name, excerpt);
  item.append(link);
  return item;
}

/** Returns the part of the text around the first word that was found. */
function cut(text: string, words: string[]): string {
  const at = text.search(toPattern(words));
  const from = at <= AROUND ? 0 : text.lastIndexOf(" ", at - AROUND) + 1;
  const rest = text.slice(from);
  const part = rest.length <= 3 * AROUND ? rest : `${rest.slice(0, rest.lastIndexOf(" ", 3 * AROUND))} …`;
  return from === 0 ? part : `… ${part}`;
}

/** Splits the text so that each word that was found is marked. */
function mark(text: string, words: string[]): (string | HTMLElement)[] {
  return text.split(toPattern(words)).map((part, i) => {
    if (i % 2 === 0) return part;
    const element = document.createElement("mark");
    element.textContent = part;
    return element;
  });
}

function toPattern(words: string[]): RegExp {
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  return new RegExp(`(${longestFirst.map((word) => word.replaceAll(".", "\\.")).join("|")})`, "i");
}
