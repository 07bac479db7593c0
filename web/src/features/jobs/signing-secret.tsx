import { Text } from "@mantine/core";
import { CodeBlock } from "#web/ui/code-block.tsx";

/** The secret that a webhook's receiver checks signatures with, shown once. */
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
