import { Button } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import type { FileKind } from "./table-file.ts";

/** Buttons that save a list as CSV and as XLSX; `progress` is shown while one of them works. */
export function FileButtons(props: { progress?: string | null; isDisabled?: boolean; save: (kind: FileKind) => void }) {
  const { progress = null, isDisabled = false, save } = props;
  const shared = { size: "xs", variant: "default", disabled: isDisabled || progress !== null } as const;
  return (
    <Button.Group>
      <Button {...shared} leftSection={<Icon name="download" size={14} />} onClick={() => save("csv")}>
        {progress ?? t`Export CSV`}
      </Button>
      <Button {...shared} px={8} aria-label={t`Export XLSX`} onClick={() => save("xlsx")}>
        {"XLSX"}
      </Button>
    </Button.Group>
  );
}
