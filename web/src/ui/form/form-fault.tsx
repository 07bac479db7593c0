import { Alert, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { Icon } from "#web/ui/icon.tsx";

/** Shows the fault of a form as a whole. */
export function FormFault({ fault }: { fault: string | null }) {
  const box = useRef<HTMLDivElement>(null);
  // A long form is saved from its end, so the fault must scroll into view.
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not return.
    box.current?.scrollIntoView({ block: "nearest" });
  }, [fault]);
  if (fault === null) return null;
  return (
    <Alert
      ref={box}
      style={{ scrollMarginTop: 70 }}
      color="red"
      variant="light"
      icon={<Icon name="alert" />}
      role="alert"
    >
      <Text fz="sm" style={{ whiteSpace: "pre-line" }}>
        {fault}
      </Text>
    </Alert>
  );
}
