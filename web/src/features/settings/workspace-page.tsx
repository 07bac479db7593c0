import { Alert, Badge, NumberInput, Select, SimpleGrid, Stack, Switch, TextInput } from "@mantine/core";
import type { PhoneNumber } from "@parley/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { useFlowChoices } from "#web/domain/flow/use-flow-choices.ts";
import { useNumberOptions } from "#web/domain/number/use-number-options.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FormPage } from "#web/ui/form/form-page.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { type Settings, useSettings, useSettingsForm } from "./settings.ts";
import { TIME_ZONES } from "./time-zones.ts";

const READ_ONLY = t`Only owners of this workspace change settings.`;

/** Page of the workspace's name, time zone, defaults and limits. */
export function WorkspacePage() {
  const read = useSettings();
  return (
    <SettingsFrame title={t`Workspace`} lead={t`How this workspace is called and what it does unless told otherwise.`}>
      <Loaded read={read}>{(settings) => <WorkspaceForm key={settings.id} settings={settings} />}</Loaded>
    </SettingsFrame>
  );
}

type Values = {
  name: string;
  timeZone: string;
  defaultFlowId: string | null;
  defaultPhoneNumberId: string | null;
  isInstant: boolean;
  speed: number;
  capacity: number;
  refill: number;
  periodSeconds: number;
  requiresSecondFactor: boolean;
  credentialDays: number | "";
};

const USUAL_SPEED = 10;

function toValues(settings: Settings): Values {
  const { name, timeZone, defaultFlowId, defaultPhoneNumberId, sandboxSpeed, rateLimit } = settings;
  const speed = sandboxSpeed === "instant" ? USUAL_SPEED : sandboxSpeed;
  return {
    name,
    timeZone,
    defaultFlowId,
    defaultPhoneNumberId,
    isInstant: sandboxSpeed === "instant",
    speed,
    capacity: rateLimit.capacity,
    refill: rateLimit.refill,
    periodSeconds: rateLimit.periodSeconds,
    requiresSecondFactor: settings.requiresSecondFactor,
    credentialDays: settings.credentialDays ?? "",
  };
}

function toChange({ isInstant, speed, capacity, refill, periodSeconds, ...plain }: Values): object {
  const credentialDays = plain.credentialDays === "" ? null : plain.credentialDays;
  const sandboxSpeed = isInstant ? "instant" : speed;
  return { ...plain, credentialDays, sandboxSpeed, rateLimit: { capacity, refill, periodSeconds } };
}

function WorkspaceForm({ settings }: { settings: Settings }) {
  const client = useQueryClient();
  const mayChange = useMay("WORKSPACE_ADMIN");
  const { form, save, reload } = useSettingsForm("general", settings, toValues, toChange);
  const saveAndNotify = async (values: Values, isForced: boolean) => {
    await save(values, isForced);
    // The switcher shows the name.
    await client.invalidateQueries({ queryKey: ["session"] });
  };
  return (
    <FormPage form={form} save={saveAndNotify} reload={reload} canSave={mayChange}>
      {!mayChange && <Alert variant="light">{READ_ONLY}</Alert>}
      <fieldset disabled={!mayChange} className="plain-fieldset">
        <Stack>
          <Card title={t`General`} actions={<ModeBadge mode={settings.mode} />}>
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <TextInput
                label={t`Name`}
                description={t`Shown where one changes between workspaces.`}
                required
                maxLength={200}
                {...form.getInputProps("name")}
              />
              <Select
                label={t`Time zone`}
                description={t`Of reports and of schedules that name none.`}
                data={TIME_ZONES}
                searchable
                allowDeselect={false}
                limit={60}
                {...form.getInputProps("timeZone")}
              />
            </SimpleGrid>
          </Card>
          <Defaults form={form} />
          {settings.mode === "SANDBOX" && (
            <Card title={t`Sandbox speed`}>
              <Stack>
                <Switch
                  label={t`Instant: simulated calls take no time`}
                  {...form.getInputProps("isInstant", { type: "checkbox" })}
                />
                {!form.getValues().isInstant && (
                  <NumberInput
                    label={t`Speed factor`}
                    description={t`1 is real time. At 10, a minute of talk takes six seconds.`}
                    min={0.1}
                    max={1000}
                    maw={260}
                    {...form.getInputProps("speed")}
                  />
                )}
              </Stack>
            </Card>
          )}
          <Access form={form} />
        </Stack>
      </fieldset>
    </FormPage>
  );
}

type Form = ReturnType<typeof useSettingsForm<Values>>["form"];

function Defaults({ form }: { form: Form }) {
  const flows = useFlowChoices();
  const numbers = useRead<PhoneNumber[]>("/phone-numbers", undefined, { enabled: useMay("PHONE_NUMBERS_READ") });
  return (
    <Card title={t`Defaults`}>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Select
          label={t`Flow`}
          description={t`Leads calls and chats that name none.`}
          placeholder={t`None`}
          clearable
          searchable
          data={flows}
          {...form.getInputProps("defaultFlowId")}
        />
        <Select
          label={t`Phone number`}
          description={t`Calls from it when none is named.`}
          placeholder={t`None`}
          clearable
          searchable
          {...useNumberOptions(numbers.data ?? [], "id")}
          {...form.getInputProps("defaultPhoneNumberId")}
        />
      </SimpleGrid>
    </Card>
  );
}

function Access({ form }: { form: Form }) {
  return (
    <>
      <SignInRules form={form} />
      <RateLimit form={form} />
    </>
  );
}

function SignInRules({ form }: { form: Form }) {
  return (
    <Card title={t`Sign-in and credentials`}>
      <Stack>
        <Switch
          label={t`Ask everybody for a second factor`}
          description={t`Members without one set it up before they enter. API keys are unaffected.`}
          {...form.getInputProps("requiresSecondFactor", { type: "checkbox" })}
        />
        <NumberInput
          label={t`Longest life of new keys, in days`}
          description={t`Empty: no limit. Keys that exist stay as they are.`}
          min={1}
          max={3650}
          allowDecimal={false}
          maw={320}
          {...form.getInputProps("credentialDays")}
        />
      </Stack>
    </Card>
  );
}

function RateLimit({ form }: { form: Form }) {
  return (
    <Card title={t`API rate limit of each credential`}>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <NumberInput label={t`Burst`} description={t`Requests at once.`} min={1} {...form.getInputProps("capacity")} />
        <NumberInput
          label={t`Refill amount`}
          description={t`Requests that come back in each period.`}
          min={1}
          {...form.getInputProps("refill")}
        />
        <NumberInput
          label={t`Refill period`}
          description={t`In seconds.`}
          min={1}
          {...form.getInputProps("periodSeconds")}
        />
      </SimpleGrid>
    </Card>
  );
}

function ModeBadge({ mode }: { mode: Settings["mode"] }) {
  return mode === "SANDBOX" ? (
    <Badge variant="light" color="green" tt="none" miw="max-content">
      {t`Sandbox: no call leaves this machine`}
    </Badge>
  ) : (
    <Badge variant="light" color="orange" tt="none" miw="max-content">
      {t`Live: calls reach people`}
    </Badge>
  );
}
