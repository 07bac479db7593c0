import { ShownOnceDialog } from "#web/ui/shown-once-dialog.tsx";

/** Shows new recovery codes, the only time they are visible. */
export function RecoveryCodesDialog({ codes, close }: { codes: string[]; close: () => void }) {
  return (
    <ShownOnceDialog
      title="Your recovery codes"
      warning="Keep them where your phone is not. They cannot be shown again."
      text={codes.join("\n")}
      label="recovery codes"
      close={close}
    >
      Each signs you in once in place of the app or the passkey. Without them, whoever runs the server has to help.
    </ShownOnceDialog>
  );
}
