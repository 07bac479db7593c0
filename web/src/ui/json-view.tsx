import { Box, ScrollArea } from "@mantine/core";
import { Fragment, useMemo } from "react";
import { showExactly } from "#web/api/exact-json.ts";
import { t } from "#web/i18n/t.ts";
import { CopyButton } from "./copy-button.tsx";
import { escapeBidi } from "./format/bidi.ts";
import "./long-text.css";
import { splitText } from "./split-text.ts";

/** Maximum characters to colour; more takes too long. */
const LONGEST_COLOURED = 60_000;
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

/** A value as JSON, coloured, with a copy button. */
export function JsonView({
  value,
  label = "JSON",
  maxHeight = 480,
}: {
  value: unknown;
  label?: string;
  maxHeight?: number;
}) {
  const text = useMemo(() => showExactly(value), [value]);
  const parts = useMemo(() => {
    const shown = escapeBidi(text);
    return shown.length > LONGEST_COLOURED ? plain(shown) : colour(shown);
  }, [text]);
  return (
    <Box className="code" pos="relative">
      <Box pos="absolute" top={6} right={6} style={{ zIndex: 1 }} className="code-copy">
        <CopyButton text={text} label={t`Copy ${label}`} />
      </Box>
      <ScrollArea.Autosize
        mah={maxHeight}
        type="auto"
        viewportProps={{ tabIndex: 0, role: "region", "aria-label": label }}
      >
        <pre>
          <code>
            {parts.map(({ text: part, kind }, index) =>
              kind === "" ? (
                <Fragment key={index}>{part}</Fragment>
              ) : (
                <span key={index} className={kind}>
                  {part}
                </span>
              ),
            )}
          </code>
        </pre>
      </ScrollArea.Autosize>
    </Box>
  );
}

function plain(text: string): { text: string; kind: string }[] {
  return splitText(text).map((part) => ({ text: part, kind: "long-part" }));
}

function colour(text: string): { text: string; kind: string }[] {
  const parts: { text: string; kind: string }[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > at) parts.push({ text: text.slice(at, match.index), kind: "" });
    const [whole, string, colon, word] = match;
    const kind =
      string === undefined
        ? word === undefined
          ? "tok-number"
          : "tok-word"
        : colon === undefined
          ? "tok-string"
          : "tok-key";
    parts.push({ text: whole, kind });
    at = match.index + whole.length;
  }
  parts.push({ text: text.slice(at), kind: "" });
  return parts;
}
