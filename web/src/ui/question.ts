import type { ReactNode } from "react";

/** What a person is asked before something that cannot be taken back. */
export interface Question {
  title: string;
  body: ReactNode;
  /** What the button does, as a verb: "Revoke key". */
  action: string;
  /** True: red. */
  isDangerous?: boolean;
}
