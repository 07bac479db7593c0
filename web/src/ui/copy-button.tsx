import { ActionIcon, CopyButton as MantineCopy, Tooltip } from "@mantine/core";
import { Icon } from "./icon.tsx";

/** Copies a text and confirms it. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  return (
    <MantineCopy value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? "Copied" : label}>
          <ActionIcon variant="subtle" color="gray" size="md" onClick={copy} aria-label={copied ? "Copied" : label}>
            <Icon name={copied ? "check" : "copy"} />
          </ActionIcon>
        </Tooltip>
      )}
    </MantineCopy>
  );
}
