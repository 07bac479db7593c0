import { Text } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { CodeBlock } from "#web/ui/code-block.tsx";

/** The secret for checking a webhook's signatures, shown once. */
export function SigningSecret({ secret }: { secret: string }) {
  return (
    <div>
      <Text fz="sm" mb={6}>
        {t`Your webhook's signing secret. It is shown this once; the receiver checks signatures with it.`}
      </Text>
      <CodeBlock text={secret} label={t`signing secret`} />
    </div>
  );
}
