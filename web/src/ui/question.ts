import type { ReactNode } from "react";

/** Question to confirm an action that cannot be undone. */
export interface Question {
  title: string;
  body: ReactNode;
  /** Label of the button, as a verb: "Revoke key". */
  action: string;
  /** True: the button is red. */
  isDangerous?: boolean;
}
