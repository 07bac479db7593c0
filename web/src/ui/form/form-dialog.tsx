import { Button, Group, type MantineColor, type MantineSize, Modal, Stack, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ReactNode } from "react";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "./form-fault.tsx";
import type { Submit } from "./use-submit.ts";

interface DialogFormProps<T extends Record<string, unknown>> {
  form: UseFormReturnType<T>;
  /** Result of `useSubmit` or `useGuardedSubmit`. */
  sending: Submit<T> & { staleDialog?: ReactNode };
  close: () => void;
  /** Label of the button. */
  action: string;
  color?: MantineColor;
  canSend?: boolean;
  children: ReactNode;
}

/** A form in a dialog: faults above its fields, Cancel and the submit button below them. */
export function DialogForm<T extends Record<string, unknown>>(props: DialogFormProps<T>) {
  const { form, sending, close, action, color = "parley", canSend = true, children } = props;
  return (
    <form onSubmit={form.onSubmit(sending.submit)}>
      <Stack>
        <FormFault fault={sending.fault} />
        {sending.staleDialog}
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t`Cancel`}
          </Button>
          <Button type="submit" color={color} disabled={!canSend} loading={sending.isSending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A dialog with only such a form. */
export function FormDialog<T extends Record<string, unknown>>(
  props: DialogFormProps<T> & { title: string; size?: MantineSize },
) {
  const { title, size = "lg", ...rest } = props;
  return (
    <Modal opened onClose={props.close} size={size} title={<Text fw={600}>{title}</Text>}>
      <DialogForm {...rest} />
    </Modal>
  );
}
