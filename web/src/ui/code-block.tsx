import { Box, ScrollArea } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { CopyButton } from "./copy-button.tsx";
import { withoutBidi } from "./format/bidi.ts";

/** Text in a fixed-width box with a copy button; never read as HTML. */
export function CodeBlock({
  text,
  label = t`Code`,
  maxHeight = 420,
}: {
  text: string;
  label?: string;
  maxHeight?: number;
}) {
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
          <code>{withoutBidi(text)}</code>
        </pre>
      </ScrollArea.Autosize>
    </Box>
  );
}
