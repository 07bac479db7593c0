import { Group, NumberInput, PasswordInput, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { SipTrunk } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";

/** A trunk as a form holds it. */
export type TrunkValues = {
  host: string;
  port: number | string;
  transport: string;
  username: string;
  password: string;
  registrationRequired: boolean;
  srtp: string;
  codecs?: SipTrunk["codecs"];
  /** Ranges, with commas between them. */
  rtpSources: string;
};

/** A stored trunk in a form; an empty one when there is none. */
export function toTrunkValues(trunk: SipTrunk | null): TrunkValues {
  return {
    host: trunk?.host ?? "",
    port: trunk?.port ?? "",
    transport: trunk?.transport ?? "UDP",
    username: trunk?.username ?? "",
    password: trunk?.password ?? "",
    registrationRequired: trunk?.registrationRequired ?? false,
    srtp: trunk?.srtp ?? "OPTIONAL",
    ...(trunk ? { codecs: trunk.codecs } : {}),
    rtpSources: trunk?.rtpSources.join(", ") ?? "",
  };
}

/** The form's trunk as the API takes it. */
export function toTrunk({ port, username, password, rtpSources, ...rest }: TrunkValues): object {
  const signIn = { username: username || null, password: password || null };
  return { ...rest, ...signIn, port: port === "" ? null : port, rtpSources: rtpSources.match(/[^\s,]+/g) ?? [] };
}

/** Fields for the address and credentials of a SIP trunk. */
export function TrunkFields<T extends { sipTrunk: TrunkValues }>({ form }: { form: UseFormReturnType<T> }) {
  const at = (name: keyof TrunkValues) => form.getInputProps(`sipTrunk.${name}`);
  return (
    <Stack gap="sm">
      <Text fz="sm" fw={600}>
        {t`SIP trunk`}
      </Text>
      <Group align="flex-start" wrap="nowrap">
        <TextInput label={t`Host`} placeholder="sip.example.com" required flex={1} {...at("host")} />
        <NumberInput label={t`Port`} placeholder="5060" min={1} max={65_535} w={92} hideControls {...at("port")} />
      </Group>
      <Group grow align="flex-start">
        <Select label={t`Transport`} data={["UDP", "TCP", "TLS"]} allowDeselect={false} {...at("transport")} />
        <Select
          label={t`Encrypted audio`}
          data={[
            { value: "OFF", label: t`Off` },
            { value: "OPTIONAL", label: t`Where offered` },
            { value: "REQUIRED", label: t`Required` },
          ]}
          allowDeselect={false}
          {...at("srtp")}
        />
      </Group>
      <Group grow align="flex-start">
        <TextInput label={t`User name`} autoComplete="off" {...at("username")} />
        <PasswordInput
          label={t`Password`}
          description={t`Sealed when stored. For another host, enter it again.`}
          autoComplete="new-password"
          {...at("password")}
        />
      </Group>
      <TextInput
        label={t`Audio also from`}
        description={t`For a trunk behind NAT: ranges such as 192.0.2.0/24. Otherwise only the address in its SDP is heard.`}
        placeholder="192.0.2.0/24"
        {...at("rtpSources")}
      />
      <Switch
        label={t`Register at the trunk`}
        {...form.getInputProps("sipTrunk.registrationRequired", { type: "checkbox" })}
      />
    </Stack>
  );
}
