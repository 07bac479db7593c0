import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { ShownOnceDialog } from "#web/ui/shown-once-dialog.tsx";
import { Time } from "#web/ui/time.tsx";
import type { GivenLink } from "./people.ts";

/** Dialog with a link for another person, shown only once. */
export function LinkDialog({ link, ...rest }: { title: string; link: GivenLink; close: () => void }) {
  return (
    <ShownOnceDialog
      {...rest}
      warning={t`Send this link yourself, over a way that only its reader sees: whoever opens it first has it. It is not shown again.`}
      text={link.url}
      label={t`link`}
    >
      {rich`Valid until ${<Time at={link.expiresAt} />}, for one use.`}
    </ShownOnceDialog>
  );
}
