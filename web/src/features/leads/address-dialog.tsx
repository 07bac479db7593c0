import { t } from "#web/i18n/t.ts";
import { ShownOnceDialog } from "#web/ui/shown-once-dialog.tsx";

/** Shows a source's address, the only time it is visible. */
export function AddressDialog({ url, close }: { url: string; close: () => void }) {
  return (
    <ShownOnceDialog
      title={t`The address for leads`}
      warning={t`Copy it now. It is stored as a hash and cannot be shown again, only changed.`}
      text={url}
      label={t`address`}
      close={close}
    >
      {t`Send leads there by POST, as JSON or form fields. Whoever knows it can have people called.`}
    </ShownOnceDialog>
  );
}
