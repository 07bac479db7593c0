import { WORKSPACE_PATH } from "#src/platform/http/console-access.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { E164, nullable, oneOf, Type, Uuid } from "#src/platform/http/schemas.ts";
import { CARRIER_PROVIDERS } from "#src/telephony/carriers/registry.ts";
import { type OfferParts, searchOffers } from "./carrier-offer.ts";

const NumberOffer = Type.Object(
  {
    number: E164,
    capabilities: Type.Array(Type.String()),
    monthlyPrice: nullable(Type.Object({ amount: Type.String(), currency: Type.String() })),
  },
  { $id: "NumberOffer" },
);

const offerQuery = Type.Object({
  provider: oneOf(["SANDBOX", ...CARRIER_PROVIDERS.map(({ name }) => name)]),
  countryCode: Type.Optional(Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166. Default US." })),
  areaCode: Type.Optional(Type.String({ pattern: "^\\d{1,6}$" })),
  carrierAccountId: Type.Optional(Uuid),
});

/** Returns the dashboard's route for the numbers that a carrier has for sale. */
export function numberOfferRoutes(parts: Omit<OfferParts, "assertNumber">): Route[] {
  return [
    route({
      audience: "console",
      access: ["PHONE_NUMBERS_WRITE"],
      tag: "Phone numbers",
      method: "GET",
      path: `${WORKSPACE_PATH}/number-offers`,
      summary: "Search the numbers that a carrier has for sale; nothing is ordered",
      description: "In a SANDBOX workspace every carrier has the sandbox's numbers.",
      params: Type.Object({ workspaceId: Uuid }),
      query: offerQuery,
      replies: { 200: Type.Array(NumberOffer) },
      run: ({ caller, query }) => searchOffers(parts, caller.workspaceId, query),
    }),
  ];
}
