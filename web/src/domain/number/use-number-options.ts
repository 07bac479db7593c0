import type { ComboboxItem, OptionsFilter } from "@mantine/core";
import type { PhoneNumber } from "@parley/sdk";
import { usePhoneGroups } from "#web/ui/format/phone.ts";

type Named = Pick<PhoneNumber, "id" | "phoneNumber" | "label">;

/** Returns the choices of a field for the workspace's numbers, in groups of digits that are found without the gaps. */
export function useNumberOptions(numbers: readonly Named[], by: "id" | "phoneNumber") {
  const groupsOf = usePhoneGroups();
  const data: ComboboxItem[] = numbers.map((number) => {
    const text = groupsOf(number.phoneNumber).join(" ");
    return { value: number[by], label: number.label ? `${text}, ${number.label}` : text };
  });
  return { data, filter: findWithoutGaps };
}

const findWithoutGaps: OptionsFilter = ({ options, search, limit }) => {
  const wanted = withoutGaps(search);
  return options.filter((option) => "label" in option && withoutGaps(option.label).includes(wanted)).slice(0, limit);
};

function withoutGaps(text: string): string {
  return text.toLowerCase().replaceAll(/\s/g, "");
}
