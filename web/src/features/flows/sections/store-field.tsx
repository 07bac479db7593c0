import { TagsInput } from "@mantine/core";
import { useAllRows } from "#web/api/all-rows.ts";
import { t } from "#web/i18n/t.ts";
import type { FlowFormType } from "./flow-values.ts";
import { groupStores, type ListedStore } from "./group-stores.ts";

/** Field for the data stores that the agent reads and writes, of all applications. */
export function StoreField({ form }: { form: FlowFormType }) {
  const stores = useAllRows<ListedStore>("/data-stores");
  return (
    <TagsInput
      label={t`Data stores`}
      description={t`Keys of the stores that it reads and writes.`}
      data={groupStores(stores.data ?? [])}
      maxTags={20}
      clearable
      {...form.getInputProps("storeKeys")}
    />
  );
}
