import { Button, Group, Modal, Stack, Table, Text } from "@mantine/core";
import { useRead } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { readLines } from "#web/domain/job/csv-text.ts";
import { t } from "#web/i18n/t.ts";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { ScrollBox } from "#web/ui/table/scroll-box.tsx";
import { Words } from "#web/ui/words.tsx";
import { type Artifact, formatBytes, contentOf } from "./automation.ts";

const LINES_SHOWN = 100;

/** Shows a file unchanged; HTML pages are in a frame in which nothing can run or load. */
export function ArtifactDialog({ artifactId, close }: { artifactId: string; close: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const read = useRead<Artifact & { content: unknown }>(`/artifacts/${artifactId}`);
  return (
    <Modal
      opened
      onClose={close}
      size="min(1080px, 100%)"
      title={
        <Text fw={600} component={Words}>
          {read.data?.title ?? t`File`}
        </Text>
      }
    >
      <Loaded read={read}>
        {(file) => (
          <Stack>
            <Content file={file} />
            <Group justify="space-between">
              <Text fz="sm" c="dimmed">
                {formatBytes(file.sizeBytes)}
              </Text>
              <Button
                component="a"
                href={contentOf(workspaceId, file.id)}
                download={file.name}
                leftSection={<Icon name="download" />}
              >
                {t`Save ${file.name.length > 30 ? t`file` : file.name}`}
              </Button>
            </Group>
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}

function Content({ file }: { file: Artifact & { content: unknown } }) {
  const { type, content, title } = file;
  if (content === null) return <Text fz="sm">{t`This file is too large to be shown here. Save it to see it.`}</Text>;
  if (type === "JSON") return <JsonView value={content} label={title} maxHeight={560} />;
  const text = typeof content === "string" ? content : JSON.stringify(content);
  if (type === "HTML") {
    return <iframe className="report-frame" title={title} srcDoc={text} sandbox="" referrerPolicy="no-referrer" />;
  }
  if (type === "TABLE") return <CsvTable text={text} title={title} />;
  return <CodeBlock text={text} label={title} maxHeight={560} />;
}

function CsvTable({ text, title }: { text: string; title: string }) {
  const lines = [];
  for (const line of readLines(text, ",")) {
    if (lines.length > LINES_SHOWN) break;
    lines.push(line.cells);
  }
  const [head = [], ...rows] = lines.slice(0, LINES_SHOWN + 1);
  return (
    <Stack gap="xs">
      <ScrollBox label={title} isRegion style={{ maxHeight: 560 }}>
        <Table className="data-table" stickyHeader aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              {head.map((name, index) => (
                <Table.Th key={index}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((cells, index) => (
              <Table.Tr key={index}>
                {cells.map((cell, at) => (
                  <Table.Td key={at} style={{ whiteSpace: "nowrap" }}>
                    <Words>{cell.length > 200 ? `${cell.slice(0, 200)}…` : cell}</Words>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {lines.length > LINES_SHOWN && (
        <Text fz="xs" c="dimmed">
          {t`The first ${LINES_SHOWN} lines. Save the file to see all of them.`}
        </Text>
      )}
    </Stack>
  );
}
