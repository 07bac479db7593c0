import { Alert, MultiSelect, NumberInput, Radio, SimpleGrid, Stack, Switch, Text } from "@mantine/core";
import { useMemo } from "react";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FormPage } from "#web/ui/form/form-page.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { CallingWindowEditor, USUAL_WINDOW } from "./calling-window-editor.tsx";
import { listCountries } from "./countries.ts";
import { SettingsFrame } from "./settings-frame.tsx";
import { type CallingWindow, type Settings, type SettingsForm, useSettings, useSettingsForm } from "./settings.ts";

/** Page of the rules for where and when this workspace may call. */
export function CompliancePage() {
  const read = useSettings();
  return (
    <SettingsFrame
      title={t`Compliance`}
      lead={t`Checked for every call before it is placed, however it was asked for. A call that must not go out yet waits.`}
    >
      <Loaded read={read}>{(settings) => <ComplianceForm key={settings.id} settings={settings} />}</Loaded>
    </SettingsFrame>
  );
}

type Values = {
  countries: string[] | null;
  hasWindow: boolean;
  callingWindow: CallingWindow;
  maxAttemptsPerDay: number | "";
  attemptGapMinutes: number | "";
};

function toValues({ countries, callingWindow, maxAttemptsPerDay, attemptGapMinutes }: Settings): Values {
  return {
    countries,
    hasWindow: callingWindow !== null,
    callingWindow: callingWindow ?? USUAL_WINDOW,
    maxAttemptsPerDay: maxAttemptsPerDay ?? "",
    attemptGapMinutes: attemptGapMinutes ?? "",
  };
}

function toChange({ countries, hasWindow, callingWindow, maxAttemptsPerDay, attemptGapMinutes }: Values): object {
  return {
    countries,
    callingWindow: hasWindow ? callingWindow : null,
    maxAttemptsPerDay: maxAttemptsPerDay === "" ? null : maxAttemptsPerDay,
    attemptGapMinutes: attemptGapMinutes === "" ? null : attemptGapMinutes,
  };
}

function ComplianceForm({ settings }: { settings: Settings }) {
  const mayChange = useMay("WORKSPACE_ADMIN");
  const { form, save, reload } = useSettingsForm("compliance", settings, toValues, toChange);
  return (
    <FormPage form={form} save={save} reload={reload} canSave={mayChange}>
      {!mayChange && <Alert variant="light">{t`Only owners of this workspace change these rules.`}</Alert>}
      {settings.mode === "SANDBOX" && (
        <Alert variant="light" color="green">
          {t`This is a sandbox: its calls reach nobody, so the hours and the attempts below do not hold them up. The countries do.`}
        </Alert>
      )}
      <fieldset disabled={!mayChange} className="plain-fieldset">
        <Stack>
          <Countries form={form} />
          <Hours form={form} isLive={settings.mode === "LIVE"} />
          <Attempts form={form} isLive={settings.mode === "LIVE"} />
        </Stack>
      </fieldset>
    </FormPage>
  );
}

type Form = SettingsForm<Values>["form"];

function Countries({ form }: { form: Form }) {
  const all = useMemo(() => listCountries(), []);
  const { countries } = form.getValues();
  return (
    <Card title={t`Countries that may be called`}>
      <Stack>
        <Radio.Group
          aria-label={t`Countries that may be called`}
          value={countries === null ? "ALL" : "SOME"}
          onChange={(value) => form.setFieldValue("countries", value === "ALL" ? null : [])}
        >
          <Stack gap="xs">
            <Radio value="ALL" label={t`Every country`} />
            <Radio value="SOME" label={t`Only these`} />
          </Stack>
        </Radio.Group>
        {countries !== null && (
          <MultiSelect
            label={t`Countries`}
            description={countries.length === 0 ? t`None is chosen: no call can be placed.` : undefined}
            data={all}
            searchable
            clearable
            hidePickedOptions
            limit={40}
            {...form.getInputProps("countries")}
            value={countries}
          />
        )}
      </Stack>
    </Card>
  );
}

function Hours({ form, isLive }: { form: Form; isLive: boolean }) {
  const { hasWindow, callingWindow } = form.getValues();
  return (
    <Card title={t`Hours`}>
      <Stack>
        <Switch
          label={t`Call at certain hours only`}
          description={t`Jobs and calls that bring hours of their own use those instead.`}
          {...form.getInputProps("hasWindow", { type: "checkbox" })}
        />
        {!hasWindow && isLive && (
          <Alert color="orange" variant="light">
            {t`People would be called at any hour of their day.`}
          </Alert>
        )}
        {hasWindow && (
          <CallingWindowEditor
            value={callingWindow}
            onChange={(value) => {
              form.setFieldValue("callingWindow", value);
              form.clearErrors();
            }}
            faultAt={(path) => form.errors[`callingWindow.${path}`] as string | undefined}
          />
        )}
      </Stack>
    </Card>
  );
}

function Attempts({ form, isLive }: { form: Form; isLive: boolean }) {
  const { maxAttemptsPerDay } = form.getValues();
  return (
    <Card title={t`How often one number is called`}>
      <Stack>
        <Text fz="sm" c="dimmed">
          {t`Counted over all jobs and single calls of this workspace. A call over the limit waits for the next day of the person, inside the hours above.`}
        </Text>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <NumberInput
            label={t`Attempts per day`}
            description={t`By the called person's clock.`}
            placeholder={t`No limit`}
            min={1}
            max={100}
            allowDecimal={false}
            {...form.getInputProps("maxAttemptsPerDay")}
          />
          <NumberInput
            label={t`Minutes between attempts`}
            description={t`From the end of one to the next.`}
            placeholder={t`None`}
            min={1}
            max={10_080}
            allowDecimal={false}
            {...form.getInputProps("attemptGapMinutes")}
          />
        </SimpleGrid>
        {maxAttemptsPerDay === "" && isLive && (
          <Alert color="orange" variant="light">
            {t`Nothing but the retries of each job would limit how often a person is called.`}
          </Alert>
        )}
      </Stack>
    </Card>
  );
}
