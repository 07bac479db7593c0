import { t } from "#web/i18n/t.ts";

/** A data store with its application. */
export interface ListedStore {
  id: string;
  key: string;
  application: { id: string; name: string };
}

/** Groups the keys by application. Each key appears once; if several applications have it, under all their names. */
export function groupStores(stores: ListedStore[]): { group: string; items: string[] }[] {
  const owners = new Map<string, string[]>();
  for (const { key, application } of stores) owners.set(key, [...(owners.get(key) ?? []), application.name]);
  const groups = new Map<string, string[]>();
  for (const [key, names] of owners) {
    const group = names.length > 3 ? t`${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
    groups.set(group, [...(groups.get(group) ?? []), key]);
  }
  return [...groups].map(([group, items]) => ({ group, items }));
}
