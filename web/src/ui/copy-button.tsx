import { ActionIcon, CopyButton as MantineCopy, Tooltip } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { Icon } from "./icon.tsx";

/** Copies a text and confirms it. */
export function CopyButton({ text, label = t`Copy` }: { text: string; label?: string }) {
  return (
    <MantineCopy value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t`Copied` : label}>
          <ActionIcon variant="subtle" color="gray" size="md" onClick={copy} aria-label={copied ? t`Copied` : label}>
            <Icon name={copied ? "check" : "copy"} />
          </ActionIcon>
        </Tooltip>
      )}
    </MantineCopy>
  );
}
