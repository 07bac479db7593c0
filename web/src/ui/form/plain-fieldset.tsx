import { Alert } from "@mantine/core";
import "./plain-fieldset.css";
import { createContext, type ReactNode, useContext } from "react";
import { t } from "#web/i18n/t.ts";

const ReadOnlyContext = createContext(false);

/** True inside read-only fields; for editors that are not HTML fields. */
export function useReadOnly(): boolean {
  return useContext(ReadOnlyContext);
}

/** Fields that are all editable or all read-only; it has no look of its own. */
export function PlainFieldset(props: {
  isReadOnly: boolean;
  /** Reason why they are read-only. */
  reason?: string;
  children: ReactNode;
}) {
  const { isReadOnly, reason, children } = props;
  return (
    <ReadOnlyContext value={isReadOnly}>
      {isReadOnly && reason !== undefined && (
        <Alert variant="light" mb="md">
          {reason}
        </Alert>
      )}
      <fieldset disabled={isReadOnly} className="plain-fieldset">
        {children}
      </fieldset>
    </ReadOnlyContext>
  );
}

/** Reason for fields that only builders and owners may change. */
export const BUILDERS_ONLY = t`Builders and owners of the workspace change this. Your role reads it.`;
