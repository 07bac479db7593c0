import "./plain-fieldset.css";
import { Alert } from "@mantine/core";
import { createContext, type ReactNode, useContext } from "react";

const ReadOnlyContext = createContext(false);

/** True inside fields that can only be read; for editors that are no fields of HTML. */
export function useReadOnly(): boolean {
  return useContext(ReadOnlyContext);
}

/** Fields that can be changed together or not at all; it has no look of its own. */
export function PlainFieldset(props: {
  isReadOnly: boolean;
  /** Why they can only be read. */
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

/** The reason where builders and owners may write. */
export const BUILDERS_ONLY = "Builders and owners of the workspace change this. Your role reads it.";
