import { Textarea } from "@mantine/core";
import { t } from "#web/i18n/t.ts";

/** Field for the networks from which a credential is accepted. */
export function NetworksField(props: object) {
  return (
    <Textarea
      label={t`Accepted from`}
      description={t`Networks of your servers, one a line, such as 203.0.113.0/24 or 2001:db8::/32. Empty: from anywhere.`}
      autosize
      minRows={1}
      maxRows={6}
      {...props}
    />
  );
}
