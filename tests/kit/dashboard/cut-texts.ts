import type { Page } from "playwright-core";

/**
 * Texts that their box cuts off: of an element that hides what does not fit, without a title or a way to scroll that
 * gives the rest. A text that only screen readers have is no fault; nor is one that a person, a tool or code wrote.
 */
const CUT_TEXTS = `(() => {
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest("[aria-hidden=true], textarea, script, style, code, pre, bdi, svg, .cm-editor, .react-flow, .recharts-wrapper")) continue;
    const own = [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue.trim() !== "");
    if (!own || element.clientWidth < 8 || element.offsetParent === null) continue;
    for (let box = element; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(box);
      if (overflowX === "auto" || overflowX === "scroll" || overflowY === "auto" || overflowY === "scroll") break;
      if (overflowX !== "hidden" && overflowX !== "clip") continue;
      if (box.clientWidth < 8 || position === "absolute" || box.closest("[title]")) break;
      const text = document.createRange();
      text.selectNodeContents(element);
      const { left, right } = text.getBoundingClientRect();
      const edge = box.getBoundingClientRect();
      if (right > edge.right + 1 || left < edge.left - 1) found.push(element.textContent.trim().slice(0, 60));
      break;
    }
  }
  const pen = document.createElement("canvas").getContext("2d");
  for (const field of document.querySelectorAll("input[placeholder]")) {
    if (field.offsetParent === null || field.value !== "" || field.closest("[title]")) continue;
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    pen.font = font;
    if (pen.measureText(field.placeholder).width > field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) + 1)
      found.push(field.placeholder);
  }
  for (const box of document.querySelectorAll("textarea"))
    if (box.value === "" && box.offsetParent !== null && box.scrollHeight > box.clientHeight + 2) found.push(box.placeholder);
  return [...new Set(found)];
})()`;

/** Returns the texts of the page that nobody can read to their end. */
export function findCutTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(CUT_TEXTS);
}
