import { expect, test } from "vitest";
import { chunkBlocks } from "./chunker.ts";
import { htmlToBlocks } from "./html-blocks.ts";

const htmlToText = (html: string) =>
  chunkBlocks(htmlToBlocks(html))
    .map(({ text }) => text)
    .join("\n\n");

test("blocks are paragraphs, inline elements flow, white space counts once", () => {
  const html =
    "<h1>Opening\n hours</h1><p>We are <b>open</b>\n<i>daily</i>.<br>Really.</p><div>Come<span>!</span></div>";
  expect(htmlToText(html)).toBe("Opening hours\n\nWe are open daily.\nReally.\n\nCome!");
});

test("lists are lines and table cells are parted by bars", () => {
  const html =
    "<ul><li>One</li><li>Two</li></ul><table><tr><th>Day</th><th>Hours</th></tr><tr><td>Mon</td><td>8-18</td></tr></table>";
  expect(htmlToText(html)).toBe("One\nTwo\n\nDay | Hours\nMon | 8-18");
});

test("scripts, styles, navigation, controls and hidden parts are left out", () => {
  const html = `<html><head><title>No</title><style>p{}</style></head><body>
    <nav>No</nav><script>document.write("<p>No</p>")</script><noscript>No</noscript><template><p>No</p></template>
    <p hidden>No</p><p aria-hidden="TRUE">No</p><p style="color: red; DISPLAY : none !important">No</p>
    <p style="visibility:hidden">No</p><button>No</button><select><option>No</option></select><svg><text>No</text></svg>
    <p style="display: block" aria-hidden="false">Yes</p></body></html>`;
  expect(htmlToText(html)).toBe("Yes");
});

test("a question in the button that opens its answer is a heading", () => {
  const html =
    '<h2><button aria-expanded="false">When are you <b>open</b>?</button></h2><div><p>From nine.</p><button>Buy</button></div>';
  expect(htmlToBlocks(html)).toMatchObject([
    { kind: "HEADING", level: 2, text: "When are you open?" },
    { kind: "PARAGRAPH", text: "From nine." },
  ]);
});

test("entities are resolved, broken markup is read as browsers read it", () => {
  expect(htmlToText("<p>Fish &amp; chips &#8364;5<p>1 &lt; 2 <b>bold<p>still")).toBe(
    "Fish & chips €5\n\n1 < 2 bold\n\nstill",
  );
  expect(htmlToText("no markup at all")).toBe("no markup at all");
  expect(htmlToText("<!-- nothing -->")).toBe("");
});

test("depth is no danger", () => {
  expect(htmlToText(`${"<i>".repeat(50_000)}deep`)).toBe("deep");
});
