import { Alert, NumberInput, Stack } from "@mantine/core";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FormPage } from "#web/ui/form/form-page.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { type Settings, useSettings, useSettingsForm } from "./settings.ts";

const LONGEST_DAYS = 36_500;

type Values = { recordingRetentionDays: number | ""; conversationRetentionDays: number | "" };

function toValues({ recordingRetentionDays, conversationRetentionDays }: Settings): Values {
  return {
    recordingRetentionDays: recordingRetentionDays ?? "",
    conversationRetentionDays: conversationRetentionDays ?? "",
  };
}

function toChange({ recordingRetentionDays, conversationRetentionDays }: Values): object {
  return {
    recordingRetentionDays: recordingRetentionDays === "" ? null : recordingRetentionDays,
    conversationRetentionDays: conversationRetentionDays === "" ? null : conversationRetentionDays,
  };
}

/** Form for the days after which this workspace deletes recordings and the content of conversations. */
export function RetentionForm({ serverDays }: { serverDays: number }) {
  const read = useSettings();
  return (
    <Loaded read={read}>{(settings) => <Days key={settings.id} settings={settings} serverDays={serverDays} />}</Loaded>
  );
}

function Days({ settings, serverDays }: { settings: Settings; serverDays: number }) {
  const mayChange = useMay("WORKSPACE_ADMIN");
  const { form, save, reload } = useSettingsForm("retention", settings, toValues, toChange);
  const { recordingRetentionDays, conversationRetentionDays } = form.getValues();
  const deletes = recordingRetentionDays !== "" || conversationRetentionDays !== "";
  const limit =
    serverDays === 0 ? t`Empty: until they are deleted.` : t`Empty: ${serverDays} days, the server's limit.`;
  return (
    <FormPage form={form} save={save} reload={reload} canSave={mayChange}>
      <fieldset disabled={!mayChange} className="plain-fieldset">
        <Card title={t`What is deleted after some days`}>
          <Stack>
            {!mayChange && <Alert variant="light">{t`Only owners of this workspace change these days.`}</Alert>}
            <NumberInput
              label={t`Days to keep recordings`}
              description={t`Deletes the sound of calls from this server. What was said stays to be read. ${limit}`}
              placeholder={t`No limit`}
              min={1}
              max={LONGEST_DAYS}
              allowDecimal={false}
              {...form.getInputProps("recordingRetentionDays")}
            />
            <NumberInput
              label={t`Days to keep what was said`}
              description={t`Deletes the transcripts, messages and collected answers of calls and chats so many days after their end. Who was called, when, how it ended and what it cost stays. Empty: until the contact is erased.`}
              placeholder={t`No limit`}
              min={1}
              max={LONGEST_DAYS}
              allowDecimal={false}
              {...form.getInputProps("conversationRetentionDays")}
            />
            {form.isDirty() && deletes && (
              <Alert color="orange" variant="light">
                {t`What is older already is deleted within minutes of saving. Nobody can bring it back.`}
              </Alert>
            )}
          </Stack>
        </Card>
      </fieldset>
    </FormPage>
  );
}
