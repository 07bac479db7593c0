import { Alert, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { Icon } from "#web/ui/icon.tsx";

/** What is wrong with a form as a whole. */
export function FormFault({ fault }: { fault: string | null }) {
  const box = useRef<HTMLDivElement>(null);
  // A long form is saved from its end: what is wrong must come into view.
  useEffect(() => {
    // Newer browsers answer with a promise, which an effect must not return.
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
