import { expect, test } from "vitest";
import { pruneStyles } from "./prune-styles.ts";

const used = new Set(["m_a1"]);

test("rules of classes that no component has are left out; all others stay as they are", () => {
  const kept = '.m_a1{color:red}.own,.m_a1:hover{top:0}body{margin:0}.own:after{content:"}.m_b2{"}';
  expect(pruneStyles(`${kept}.m_b2{color:red}.m_b2:where([data-x="{"]){top:0}`, used)).toBe(kept);
  expect(pruneStyles(".m_a1,.m_b2 .own{top:0}", used)).toBe(".m_a1{top:0}");
  expect(pruneStyles(".m_a1 .m_b2{top:0}.m_b2+.m_a1{top:0}", used)).toBe("");
});

test("a class in parentheses may be one of several, and keeps its rule", () => {
  const css = ".m_a1:not(.m_b2){top:0}:is(.m_a1,:where(.m_b2)) p{top:0}";
  expect(pruneStyles(css, used)).toBe(css);
});

test("blocks around rules are kept while they hold something, a layer and animations always", () => {
  const css = "@layer x{@media (width>1px){.m_b2{top:0}}}@media print{.m_a1{top:0}.m_b2{top:0}}@keyframes k{to{top:0}}";
  expect(pruneStyles(css, used)).toBe("@layer x{}@media print{.m_a1{top:0}}@keyframes k{to{top:0}}");
  expect(pruneStyles("@layer a,b;@import 'x;y';.m_b2{top:0}", used)).toBe("@layer a,b;@import 'x;y';");
});
