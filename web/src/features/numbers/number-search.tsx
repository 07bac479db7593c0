import { Button, Group, Paper, Radio, ScrollArea, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { explainError } from "#web/api/api-error.ts";
import type { Query } from "#web/api/http.ts";
import { useRead } from "#web/api/queries.ts";
import { capabilityLabel, type NumberOffer } from "#web/domain/number/number.ts";
import { t } from "#web/i18n/t.ts";
import { formatMoney } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { LoadingBars } from "#web/ui/load-state.tsx";
import { Phone } from "#web/ui/phone.tsx";

interface Search {
  provider: string;
  carrierAccountId: string | null;
  chosen: string;
  choose: (number: string) => void;
}

/** Searches the numbers that a carrier sells; the search orders nothing. */
export function NumberSearch({ provider, carrierAccountId, chosen, choose }: Search) {
  const [countryCode, setCountry] = useState("US");
  const [areaCode, setArea] = useState("");
  const [wish, setWish] = useState<Query | null>(null);
  const search = () =>
    setWish({ provider, countryCode: countryCode.toUpperCase(), areaCode, carrierAccountId: carrierAccountId ?? "" });
  const isCurrent = wish !== null && wish.provider === provider;
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t`Country`}
          w={80}
          maxLength={2}
          value={countryCode}
          onChange={(event) => setCountry(event.currentTarget.value)}
        />
        <TextInput
          label={t`Area code`}
          w={110}
          inputMode="numeric"
          maxLength={6}
          placeholder={t`Any`}
          value={areaCode}
          onChange={(event) => setArea(event.currentTarget.value)}
        />
        <Button variant="default" leftSection={<Icon name="search" />} onClick={search}>
          {t`Search`}
        </Button>
      </Group>
      {isCurrent && <Offers wish={wish} chosen={chosen} choose={choose} />}
    </Stack>
  );
}

function Offers({ wish, chosen, choose }: { wish: Query } & Pick<Search, "chosen" | "choose">) {
  const read = useRead<NumberOffer[]>("/number-offers", wish);
  if (read.error) {
    return (
      <Text fz="sm" c="red" role="alert" style={{ whiteSpace: "pre-line" }}>
        {explainError(read.error)}
      </Text>
    );
  }
  if (!read.data) return <LoadingBars count={3} />;
  if (read.data.length === 0) {
    return (
      <Text fz="sm" c="dimmed">
        {t`Nothing for sale there. Try another area.`}
      </Text>
    );
  }
  return (
    <Paper withBorder>
      <ScrollArea.Autosize
        mah={210}
        type="auto"
        viewportProps={{ tabIndex: 0, role: "region", "aria-label": t`Offers` }}
      >
        <Radio.Group value={chosen} onChange={choose} aria-label={t`Number to add`}>
          <Stack gap={8} p="sm">
            {read.data.map((offer) => (
              <Radio key={offer.number} value={offer.number} label={<Offer offer={offer} />} />
            ))}
          </Stack>
        </Radio.Group>
      </ScrollArea.Autosize>
    </Paper>
  );
}

function Offer({ offer: { number, capabilities, monthlyPrice } }: { offer: NumberOffer }) {
  const price = monthlyPrice ? t`, ${formatMoney(monthlyPrice.amount, monthlyPrice.currency)} a month` : "";
  return (
    <>
      <Phone number={number} /> ({capabilities.map(capabilityLabel).join(", ")}
      {price})
    </>
  );
}
