/** Members of a settings file. */
export type Json = Record<string, unknown>;

/** One server of an assistant's settings: the member that lists servers, its name there, and what is stored of it. */
export interface ServerEntry {
  member: string;
  name: string;
  server: Json;
}

/** A language of settings files. */
export interface SettingsForm {
  /** Says why an entry was not added to a file, after the file's name. */
  refusal: string;
  /** Returns the text of a file with this entry alone. */
  render: (entry: ServerEntry) => string;
  /** Returns the text of a file with the entry beside what is there, or null when that might damage it. */
  add: (text: string, entry: ServerEntry) => string | null;
}

/** Settings in JSON. An entry of the same name is replaced. */
export const JSON_FORM: SettingsForm = {
  refusal: "is not plain JSON",
  render: ({ member, name, server }) => JSON.stringify({ [member]: { [name]: server } }, null, 2),
  add(text, { member, name, server }) {
    const settings = readObject(text);
    if (settings === null) return null;
    const others = (settings[member] ?? {}) as Json;
    return `${JSON.stringify({ ...settings, [member]: { ...others, [name]: server } }, null, 2)}\n`;
  },
};

/**
 * Settings in TOML, whose text with its comments stays as it is: the entry is a table after it. A file that has the
 * table, or may have it in another way of writing, is refused, because a table twice makes a file invalid.
 */
export const TOML_FORM: SettingsForm = {
  refusal: "has a server of this name already, or lists its servers in another way than by tables",
  render: ({ member, name, server }) => {
    const lines = Object.entries(server).map(([key, value]) => `${toKey(key)} = ${toValue(value)}`);
    return [`[${toKey(member)}.${toKey(name)}]`, ...lines].join("\n");
  },
  add(text, entry) {
    const mentions = text.split(/\r?\n/).filter((line) => line.includes(entry.member) && !/^\s*#/.test(line));
    const isOfAnother = (line: string) => {
      const name = tableName(line, entry.member);
      return name !== null && name !== entry.name;
    };
    if (!mentions.every(isOfAnother)) return null;
    const before = text.trimEnd();
    return `${before === "" ? "" : `${before}\n\n`}${TOML_FORM.render(entry)}\n`;
  },
};

/** Reads a JSON object; null for anything else, such as one with comments, which would be lost. */
function readObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

/** Returns the name of the server that a line begins a table of, as in `[mcp_servers.name]`; null for other lines. */
function tableName(line: string, member: string): string | null {
  const header = /^\s*\[\s*([\w-]+)\s*\.\s*(?:([\w-]+)|"([^"\\]*)"|'([^']*)')\s*(?:\.[^\]]*)?\]\s*(?:#.*)?$/.exec(line);
  return header?.[1] === member ? (header[2] ?? header[3] ?? header[4] ?? null) : null;
}

function toKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

function toValue(value: unknown): string {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, one]) => `${toKey(key)} = ${toValue(one)}`);
  return `{ ${members.join(", ")} }`;
}
