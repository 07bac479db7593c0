import { Alert, Text } from "@mantine/core";
import { Icon } from "#web/ui/icon.tsx";

/** What is wrong with a form as a whole. */
export function FormFault({ fault }: { fault: string | null }) {
  if (fault === null) return null;
  return (
    <Alert color="red" variant="light" icon={<Icon name="alert" />} role="alert">
      <Text fz="sm" style={{ whiteSpace: "pre-line" }}>
        {fault}
      </Text>
    </Alert>
  );
}
