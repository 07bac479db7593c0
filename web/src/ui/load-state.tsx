import { Alert, Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError, explainError } from "#web/api/api-error.ts";
import { t } from "#web/i18n/t.ts";
import { Icon } from "./icon.tsx";

/** A failed read with its reason, the request's id, a way to try again, and `children`: other ways out. */
export function FaultNote(props: { error: unknown; retry?: () => void; children?: ReactNode }) {
  const { error, retry, children } = props;
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <Alert color="red" variant="light" icon={<Icon name="alert" />} title={t`This could not be loaded`} role="alert">
      <Text fz="sm" style={{ whiteSpace: "pre-line" }}>
        {explainError(error)}
      </Text>
      <Group mt="xs" gap="sm">
        {children}
        {retry && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            {t`Try again`}
          </Button>
        )}
        {requestId && (
          <Text fz="xs" ff="monospace">
            {t`Request ${requestId}`}
          </Text>
        )}
      </Group>
    </Alert>
  );
}

/** Grey bars as placeholders for text. */
export function LoadingBars({ count = 6 }: { count?: number }) {
  return (
    <Stack gap="sm" aria-busy="true" aria-label={t`Loading`} role="status">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={18} width={`${92 - ((index * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}

type Read = Pick<UseQueryResult, "error" | "refetch">;

/** The fault of a read, with a way to try again; nothing where it has none. */
export function ReadFault({ read: { error, refetch } }: { read: Read }) {
  return error && <FaultNote error={error} retry={() => void refetch()} />;
}

/** A read without data: its fault, or bars while it loads. */
export function NotLoaded({ read }: { read: Read }) {
  return read.error ? <ReadFault read={read} /> : <LoadingBars />;
}

/** Shows a read: bars while it loads, its fault, or the result of `children` for its data. */
export function Loaded<T>({ read, children }: { read: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  return read.data === undefined ? <NotLoaded read={read} /> : <>{children(read.data)}</>;
}
