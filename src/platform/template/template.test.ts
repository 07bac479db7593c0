import { afterEach, describe, expect, it, vi } from "vitest";
import { createEngine } from "./engine.ts";
import { findUnfilled, renderTemplate, stripMarkup, TemplateError } from "./template.ts";

afterEach(() => void vi.unstubAllEnvs());

describe("renderTemplate", () => {
  it.each([
    ["plain text", {}, "plain text"],
    ["Hello {{ name }}!", { name: "Anna" }, "Hello Anna!"],
    ["Hello {{ nobody.at.all }}!", {}, "Hello !"],
    ["{% if vip %}Dear{% else %}Hello{% endif %} {{ name | default: 'you' }}", { vip: true }, "Dear you"],
    ["{% for item in items %}{{ item }};{% endfor %}", { items: [1, 2] }, "1;2;"],
    ["{{ order }} {{ list }}", { order: { id: 1 }, list: ["a", "b"] }, '{"id":1} a, b'],
    ["{{ name | nosuchfilter }}", { name: "x" }, "x"],
    // Liquid calculates in decimals (https://shopify.github.io/liquid/filters/times/).
    ["{{ price | times: 3 }}", { price: 19.9 }, "59.7"],
    [
      "{{ price | plus: 0.2 }} {{ 10 | divided_by: 4 }} {{ 20 | divided_by: 7.0 }}",
      { price: "0.1" },
      "0.3 2.5 2.85714285714286",
    ],
    ["{{ total | minus: 0.9 }} {{ 7 | times: 6 }}", { total: 1 }, "0.1 42"],
  ])("%s", (template, variables, text) => expect(renderTemplate(template, variables)).toBe(text));

  // A person has to hear the time that was booked, whatever the clock of the server. Liquid has no rule for it.
  it.each([
    ["2026-11-26T14:30:00-05:00", "Donnerstag, 26. November, 14:30"],
    ["2026-11-26T14:30", "Donnerstag, 26. November, 14:30"],
    ["2026-11-26", "Donnerstag, 26. November, 00:00"],
    ["2026-11-26T04:30:00Z", "Mittwoch, 25. November, 23:30"],
    [1_795_667_400, "Mittwoch, 25. November, 23:30"],
    ["on request", "on request"],
  ])("shows %s in the language and by the clock of the session", (at, text) => {
    const clock = { language: "de-DE", timeZone: "America/New_York" };
    for (const zone of ["America/Los_Angeles", "Asia/Tokyo", "UTC"]) {
      vi.stubEnv("TZ", zone);
      expect(renderTemplate('{{ at | date: "%A, %d. %B, %H:%M" }}', { at }, {}, clock), zone).toBe(text);
    }
  });

  it("shows a moment to tools in English and UTC, and in a zone that the template names", () => {
    const at = "2026-11-26T04:30:00Z";
    expect(renderTemplate('{{ at | date: "%A %H:%M" }}', { at })).toBe("Thursday 04:30");
    expect(renderTemplate('{{ at | date: "%A %H:%M", "America/New_York" }}', { at })).toBe("Wednesday 23:30");
    expect(renderTemplate('{{ at | date: "%A" }}', { at }, {}, { language: "de-x" })).toBe("Thursday");
  });

  it("fills in once: a value cannot bring a template of its own", () => {
    const variables = { name: "{{ secret }}{% for i in (1..9) %}x{% endfor %}", secret: "hidden" };
    expect(renderTemplate("Hello {{ name }}", variables)).toBe(`Hello ${variables.name}`);
  });

  it("shows nothing of an object but its own data", () => {
    const text = "{{ a.constructor }}{{ a.__proto__ }}{{ a.toString }}{{ list.constructor.name }}";
    expect(renderTemplate(text, { a: {}, list: [] })).toBe("");
  });

  it.each([
    "{% include 'a' %}",
    "{% render '/etc/passwd' %}",
    "{% layout 'a' %}",
    "{% assign a = 1 %}",
    "{% if %",
    "{% unclosed",
    "{% for i in (1..1000000000) %}x{% endfor %}",
    "{% for i in (1..900) %}{% for j in (1..900) %}{% for k in (1..900) %}some text{% endfor %}{% endfor %}{% endfor %}",
    "{{ 'x' | append: 'y' }}".repeat(30_000),
  ])("refuses %.60s", (template) => {
    expect(() => renderTemplate(template, {})).toThrow(TemplateError);
    // Cached by now or not.
    expect(() => renderTemplate(template, {})).toThrow(TemplateError);
  });

  it("gives the plain words of what it refuses", () => {
    expect(stripMarkup("Hello {{ name }}, {% include 'x' %}goodbye")).toBe("Hello , goodbye");
    expect(stripMarkup("Hello {% broken")).toBe("Hello ");
  });

  it("refuses loops that write nothing", () => {
    const items = Array.from({ length: 900 }, (_, i) => i);
    const template = "{% for i in items %}{% for j in items %}{% for k in items %}{% endfor %}{% endfor %}{% endfor %}";
    expect(() => renderTemplate(template, { items })).toThrow("steps");
  });

  it.each([
    "{% for i in (1..9000) %}{% if items == others %}x{% endif %}{% endfor %}",
    "{% for i in (1..9000) %}{% if lists contains others %}x{% endif %}{% endfor %}",
    "{% for i in (1..9000) %}{% if text contains words %}x{% endif %}{% endfor %}",
    "{% for i in (1..9000) %}{{ text | replace: words, '' }}{% endfor %}",
    "{% for i in (1..9000) %}{{ i | date: '%A %B %Z' }}{% endfor %}",
  ])("refuses loops of long work: %s", (template) => {
    const items = Array.from({ length: 20_000 }, (_, i) => i);
    const text = "a".repeat(60_000);
    const words = `${"a".repeat(16_000)}b${"a".repeat(16_000)}`;
    const variables = { items, others: [...items], lists: [[...items.slice(1), -1], [1]], text, words };
    expect(() => renderTemplate(template, variables)).toThrow("limit exceeded");
  });

  it("compares lists and texts, and shows the days of a long list", () => {
    const list = Array.from({ length: 300 }, (_, i) => `2026-01-${String((i % 28) + 1).padStart(2, "0")}`);
    const template = `{% for day in list %}{% if list contains day %}{{ day | date: "%a %-d" }};{% endif %}{% endfor %}`;
    expect(renderTemplate(template, { list })).toMatch(/^Thu 1;Fri 2;/);
    expect(
      renderTemplate("{% if a == b %}same{% endif %}{% if a != c %}other{% endif %}", { a: [1], b: [1], c: [2] }),
    ).toBe("sameother");
    expect(renderTemplate('{% if text contains "ell" %}yes{% endif %}', { text: "hello" })).toBe("yes");
  });

  it("stops at too much text", () => {
    const template = "{% for i in (1..100) %}{{ text }}{% endfor %}";
    expect(() => renderTemplate(template, { text: "x".repeat(10_000) })).toThrow("too much");
    expect(renderTemplate(template, { text: "x" })).toBe("x".repeat(100));
  });

  it("forgets old templates and still renders right", () => {
    for (let i = 0; i < 1_100; i++) expect(renderTemplate(`{{ n }}-${i}`, { n: i })).toBe(`${i}-${i}`);
    expect(renderTemplate("{{ n }}-0", { n: 7 })).toBe("7-0");
  });
});

describe("outputs that come to nothing", () => {
  const variables = { name: "Ada", empty: "", nothing: null, list: [{ day: "Monday" }, {}], zero: 0 };
  it.each([
    ["Hello {{ name }}, {{ company }}.", ["{{ company }}"]],
    ["{{ empty }}{{ nothing | upcase }}{{ zero }}", ["{{ empty }}", "{{ nothing | upcase }}"]],
    ['{{ company | default: "us" }} {{ company | default: "" }}', []],
    ["{% if company %}{{ company }}{% else %}{{ firm }}{% endif %}", ["{{ firm }}"]],
    ["{% for one in list %}{{ one.day }}{% endfor %}", ["{{ one.day }}"]],
    ["{{ memory.note }} {{ memory.other }}", ["{{ memory.other }}"]],
    ["{{ broken", []],
    ["no variables", []],
  ])("%s", (template, unfilled) => {
    expect(findUnfilled(template, variables, { memory: { note: "x" } })).toEqual(unfilled);
  });
});

it("names days in English where no language is given, whatever the machine's", () => {
  const { locale: _, ...settings } = Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockReturnValue({ locale: "de-DE", ...settings });
  expect(createEngine(100).parseAndRenderSync("{{ '2026-11-26' | date: '%A' }}")).toBe("Thursday");
  vi.restoreAllMocks();
});
