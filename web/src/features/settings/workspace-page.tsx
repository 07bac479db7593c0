import { Alert, Badge, NumberInput, Select, SimpleGrid, Stack, Switch, TextInput } from "@mantine/core";
import type { Flow, Page, PhoneNumber } from "@parley/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { Card } from "#web/ui/card.tsx";
import { FormPage } from "#web/ui/form/form-page.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { type Settings, useSettings, useSettingsForm } from "./settings.ts";
import { TIME_ZONES } from "./time-zones.ts";

const READ_ONLY = "Only owners of this workspace change settings.";
const FLOWS_SHOWN = 200;

/** Page of the workspace's name, time zone, defaults and limits. */
export function WorkspacePage() {
  const read = useSettings();
  return (
    <SettingsFrame title="Workspace" lead="How this workspace is called and what it does unless told otherwise.">
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
  const { form, save, reload } = useSettingsForm(settings, toValues, toChange);
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
          <Card title="General" actions={<ModeBadge mode={settings.mode} />}>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput
                label="Name"
                description="Shown where one changes between workspaces."
                required
                maxLength={200}
                {...form.getInputProps("name")}
              />
              <Select
                label="Time zone"
                description="Of reports and of schedules that name none."
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
            <Card title="Sandbox speed">
              <Stack>
                <Switch
                  label="Instant: simulated calls take no time"
                  {...form.getInputProps("isInstant", { type: "checkbox" })}
                />
                {!form.getValues().isInstant && (
                  <NumberInput
                    label="Speed factor"
                    description="1 is real time. At 10, a minute of talk takes six seconds."
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
  const flows = useRead<Page<Flow>>("/flows", { size: FLOWS_SHOWN }, { enabled: useMay("FLOWS_READ") });
  const numbers = useRead<PhoneNumber[]>("/phone-numbers", undefined, { enabled: useMay("PHONE_NUMBERS_READ") });
  return (
    <Card title="Defaults">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Flow"
          description="Leads calls and chats that name none."
          placeholder="None"
          clearable
          searchable
          data={(flows.data?.content ?? []).map(({ id, name, apiId }) => ({ value: id, label: `${name} · ${apiId}` }))}
          {...form.getInputProps("defaultFlowId")}
        />
        <Select
          label="Phone number"
          description="Calls from it when none is named."
          placeholder="None"
          clearable
          searchable
          data={(numbers.data ?? []).map(({ id, phoneNumber, label }) => ({
            value: id,
            label: label ? `${phoneNumber} · ${label}` : phoneNumber,
          }))}
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
    <Card title="Sign-in and credentials">
      <Stack>
        <Switch
          label="Ask everybody for a second factor"
          description="Members without one set it up before they enter. API keys are unaffected."
          {...form.getInputProps("requiresSecondFactor", { type: "checkbox" })}
        />
        <NumberInput
          label="Longest life of new keys, in days"
          description="Empty: no limit. Keys that exist stay as they are."
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
    <Card title="API rate limit of each credential">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NumberInput label="Burst" description="Requests at once." min={1} {...form.getInputProps("capacity")} />
        <NumberInput
          label="Refill amount"
          description="Requests that come back in each period."
          min={1}
          {...form.getInputProps("refill")}
        />
        <NumberInput label="Refill period" description="In seconds." min={1} {...form.getInputProps("periodSeconds")} />
      </SimpleGrid>
    </Card>
  );
}

function ModeBadge({ mode }: { mode: Settings["mode"] }) {
  return mode === "SANDBOX" ? (
    <Badge variant="light" color="green" tt="none">
      Sandbox: no call leaves this machine
    </Badge>
  ) : (
    <Badge variant="light" color="orange" tt="none">
      Live: calls reach people
    </Badge>
  );
}
