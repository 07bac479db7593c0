import "./plain-fieldset.css";
import type { ReactNode } from "react";

/** Fields that can be changed together or not at all; it has no look of its own. */
export function PlainFieldset({ isReadOnly, children }: { isReadOnly: boolean; children: ReactNode }) {
  return (
    <fieldset disabled={isReadOnly} className="plain-fieldset">
      {children}
    </fieldset>
  );
}
