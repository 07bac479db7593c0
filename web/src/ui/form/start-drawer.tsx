import { Accordion, Button, Drawer, Stack, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ReactNode } from "react";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "./form-fault.tsx";
import { useSubmit } from "./use-submit.ts";

/** A drawer that starts an action with one request, and shows the same request as code. */
export function StartDrawer<TValues extends Record<string, unknown>>(props: {
  title: string;
  form: UseFormReturnType<TValues>;
  start: (values: TValues) => Promise<unknown>;
  /** Key of its unsaved input. */
  keptAs: string;
  close: () => void;
  /** Label of the button. */
  action: string;
  snippets: ReactNode;
  children: ReactNode;
}) {
  const { title, form, start, keptAs, close, action, snippets, children } = props;
  const { isSending, fault, submit } = useSubmit(form, start, { key: keptAs });
  return (
    <Drawer opened onClose={close} position="right" size={480} title={<Text fw={600}>{title}</Text>}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          {children}
          <Button type="submit" loading={isSending}>
            {action}
          </Button>
          <Accordion variant="contained">
            <Accordion.Item value="code">
              <Accordion.Control>{t`The same from your code`}</Accordion.Control>
              <Accordion.Panel>{snippets}</Accordion.Panel>
            </Accordion.Item>
          </Accordion>
        </Stack>
      </form>
    </Drawer>
  );
}
