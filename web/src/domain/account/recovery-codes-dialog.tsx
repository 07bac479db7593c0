import { t } from "#web/i18n/t.ts";
import { ShownOnceDialog } from "#web/ui/shown-once-dialog.tsx";

/** Shows new recovery codes, the only time they are visible. */
export function RecoveryCodesDialog({ codes, close }: { codes: string[]; close: () => void }) {
  return (
    <ShownOnceDialog
      title={t`Your recovery codes`}
      warning={t`Keep them where your phone is not. They cannot be shown again.`}
      text={codes.join("\n")}
      label={t`recovery codes`}
      close={close}
    >
      {t`Each signs you in once in place of the app or the passkey. Without them, whoever runs the server has to help.`}
    </ShownOnceDialog>
  );
}
