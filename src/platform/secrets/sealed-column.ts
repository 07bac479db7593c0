/** A place in the database with sealed values: a rotation of the secret seals all of them anew. */
export interface SealedColumn {
  /** Name of the values in words, as in "carrier accounts". */
  what: string;
  table: string;
  /** Columns of the primary key in its order, with their types. */
  key: Readonly<Record<string, string>>;
  /** Further columns that `place` needs. */
  also?: readonly string[];
  /** SQL that gives the sealed value as bytea, or null. */
  read: string;
  /** SQL that assigns the value of a parameter of type bytea. */
  write: (parameter: string) => string;
  /** Returns the place for which the value of a row was sealed, from the texts of its columns. */
  place: (row: Readonly<Record<string, string>>) => string;
}

/** Describes a column of a table whose key is (workspace_id, id). */
export function sealedColumn(
  what: string,
  table: string,
  column: string,
  place: (workspaceId: string, id: string) => string,
): SealedColumn {
  return {
    what,
    table,
    key: { workspace_id: "uuid", id: "uuid" },
    read: column,
    write: (parameter) => `${column} = ${parameter}`,
    place: ({ workspace_id: workspaceId = "", id = "" }) => place(workspaceId, id),
  };
}

/** Describes a value in base64 in the payload of one kind of tasks. */
export function sealedPayload(
  what: string,
  kind: string,
  field: string,
  place: (workspaceId: string, subjectId: string) => string,
): SealedColumn {
  const text = `payload ->> '${field}'`;
  return {
    what,
    table: "tasks",
    key: { id: "uuid" },
    also: ["workspace_id", "subject_id"],
    read: `case when kind = '${kind}' then decode(${text}, 'base64') end`,
    // The payload is `json`, whose text stays as it is but for the one value.
    write: (parameter) =>
      `payload = replace(payload::text, to_json(${text})::text, to_json(encode(${parameter}, 'base64'))::text)::json`,
    place: ({ workspace_id: workspaceId = "", subject_id: subjectId = "" }) => place(workspaceId, subjectId),
  };
}
