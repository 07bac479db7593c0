import { Alert, Button, Group, Text } from "@mantine/core";

/** Tells that somebody else saved meanwhile; what was typed stays until one version is chosen. */
export function StaleNote({ overwrite, takeTheirs }: { overwrite: () => void; takeTheirs: () => void }) {
  return (
    <Alert color="orange" variant="light" title="Somebody else changed these settings meanwhile">
      <Text fz="sm">Yours are still in the form.</Text>
      <Group mt="xs">
        <Button size="compact-sm" variant="default" onClick={takeTheirs}>
          Show theirs
        </Button>
        <Button size="compact-sm" color="red" onClick={overwrite}>
          Save mine over them
        </Button>
      </Group>
    </Alert>
  );
}
