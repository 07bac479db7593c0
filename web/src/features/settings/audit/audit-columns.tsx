import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { t } from "#web/i18n/t.ts";
import type { Column } from "#web/ui/table/columns.ts";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";
import { type AuditEntry, findObjectPath, nameObject } from "./audit-entry.ts";
import { findActionWords } from "./audit-words.ts";

/** Columns of the audit log. The codes are there for whoever compares them with the API. */
export const AUDIT_COLUMNS: Column<AuditEntry>[] = [
  { id: "at", header: t`When`, cell: (row) => <Time at={row.at} />, value: (row) => row.at },
  {
    id: "actor",
    header: t`Who`,
    cell: (row) => (
      <Text component="span" fz="sm" display="inline-block" miw={140} style={{ overflowWrap: "anywhere" }}>
        {row.actor}
      </Text>
    ),
    value: (row) => row.actor,
  },
  {
    id: "action",
    header: t`What`,
    cell: (row) => (
      <Text component="span" fz="sm" style={{ overflowWrap: "anywhere" }}>
        {sayAction(row)}
      </Text>
    ),
    value: sayAction,
  },
  { id: "target", header: t`To what`, cell: (row) => <AuditTarget entry={row} />, value: nameObject, isWide: true },
  { id: "address", header: t`From`, cell: (row) => row.address ?? "–", value: (row) => row.address, isWide: true },
  { id: "code", header: t`Code`, cell: (row) => row.action, value: (row) => row.action, isOptional: true },
  { id: "targetId", header: t`Id`, cell: (row) => row.target ?? "–", value: (row) => row.target, isOptional: true },
];

/** Returns the action of an entry in words, or its code. */
export function sayAction({ action }: AuditEntry): string {
  return findActionWords(action) ?? action;
}

/** Target of an action, with a link while it exists. */
export function AuditTarget({ entry }: { entry: AuditEntry }) {
  const name = nameObject(entry);
  const path = findObjectPath(entry);
  if (name === null) return "–";
  const words = <Words style={{ overflowWrap: "anywhere" }}>{name}</Words>;
  return path === null ? (
    <Text component="span" fz="sm" c={entry.object ? "inherit" : "dimmed"}>
      {words}
    </Text>
  ) : (
    <Anchor component={Link} href={path} fz="sm" underline="always">
      {words}
    </Anchor>
  );
}
