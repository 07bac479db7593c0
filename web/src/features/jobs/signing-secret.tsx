import { Text } from "@mantine/core";
import { CodeBlock } from "#web/ui/code-block.tsx";

/** The secret for checking a webhook's signatures, shown once. */
export function SigningSecret({ secret }: { secret: string }) {
  return (
    <div>
      <Text fz="sm" mb={6}>
        Your webhook's signing secret. It is shown this once; the receiver checks signatures with it.
      </Text>
      <CodeBlock text={secret} label="signing secret" />
    </div>
  );
}
