import { Badge } from "@mantine/core";
import type { FilledOutput } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { isEmptyValue } from "./output.ts";

/** Says whether an output has values, and whether they fit its schema. */
export function OutputBadge({ filled: { value, valid } }: { filled: Pick<FilledOutput, "value" | "valid"> }) {
  const isEmpty = valid && isEmptyValue(value);
  return (
    <Badge size="sm" radius="sm" variant="light" color={isEmpty ? "gray" : valid ? "green" : "red"} tt="none">
      {isEmpty ? t`empty` : valid ? t`fits its schema` : t`does not fit`}
    </Badge>
  );
}
