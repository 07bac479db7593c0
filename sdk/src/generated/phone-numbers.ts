/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { CreatePhoneNumberRequest, PhoneNumberResponse, PhoneNumbersUpdateQuery, UpdatePhoneNumberRequest } from "./shapes.ts";

/** Operations of the API that the resource phoneNumbers of the client has. */
export class PhoneNumbersOperations extends Resource {
  /**
   * List phone numbers.
   * Needs PHONE_NUMBERS_READ.
   */
  list(options: RequestOptions = {}): Promise<PhoneNumberResponse[]> {
    return this.sendRequest({ method: "GET", path: pathOf`/phone-numbers` }, options);
  }

  /**
   * Add a phone number.
   * Required: provider; phoneNumber and sipTrunk for BYO_SIP. From the sandbox, TWILIO, TELNYX or VONAGE, or from a SIP trunk of your own (BYO_SIP). In a SANDBOX workspace every provider is simulated. In a LIVE one a carrier is asked first, and the number is PENDING until the carrier has given it: then ACTIVE, or FAILED with a statusMessage. Needs PHONE_NUMBERS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: CreatePhoneNumberRequest, options: RequestOptions = {}): Promise<PhoneNumberResponse> {
    return this.sendRequest({ method: "POST", path: pathOf`/phone-numbers`, json: body, takesKey: true }, options);
  }

  /**
   * Change a phone number.
   * Needs PHONE_NUMBERS_WRITE.
   */
  update(id: string, body: UpdatePhoneNumberRequest, query: PhoneNumbersUpdateQuery = {}, options: RequestOptions = {}): Promise<PhoneNumberResponse> {
    return this.sendRequest({ method: "PUT", path: pathOf`/phone-numbers/${id}`, query, json: body }, options);
  }

  /**
   * Release a phone number.
   * Refused with 409 while calls are live or queued on it. A number that was bought here is given back to its carrier. Needs PHONE_NUMBERS_WRITE.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/phone-numbers/${id}` }, options);
  }
}
