import { t } from "#web/i18n/t.ts";
import { send } from "./http.ts";

/** True in browsers that can make and show passkeys; the page must come from a host name over https, or localhost. */
export function canUsePasskeys(): boolean {
  return window.isSecureContext && typeof window.PublicKeyCredential?.parseCreationOptionsFromJSON === "function";
}

/** Has the browser make a passkey for a server's options; returns the parts of its answer that the server reads. */
export async function makePasskey(): Promise<object> {
  const options = await send<PublicKeyCredentialCreationOptionsJSON>("POST", "/api/console/passkeys/options");
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const { id, response } = await ask<RegistrationResponseJSON>(() => navigator.credentials.create({ publicKey }));
  const { clientDataJSON, authenticatorData, publicKey: key, transports } = response;
  return { id, response: { clientDataJSON, authenticatorData, publicKey: key, transports } };
}

/** Has the browser show a passkey for the options at a path, and sends the answer to the path above it. */
export async function showPasskey<T>(path: string): Promise<T> {
  const options = await send<PublicKeyCredentialRequestOptionsJSON>("POST", `${path}/options`);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const { id, response } = await ask<AuthenticationResponseJSON>(() => navigator.credentials.get({ publicKey }));
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const handle = userHandle ? { userHandle } : {};
  return send<T>("POST", path, { body: { id, response: { clientDataJSON, authenticatorData, signature, ...handle } } });
}

/** Asks the browser. Its refusals are worded for developers, and it does not say whether the person cancelled. */
async function ask<Answer extends AuthenticationResponseJSON | RegistrationResponseJSON>(
  request: () => Promise<Credential | null>,
): Promise<Answer> {
  try {
    const credential = (await request()) as PublicKeyCredential | null;
    if (credential) return credential.toJSON() as Answer;
  } catch (error) {
    if (error instanceof DOMException && error.name === "InvalidStateError") {
      throw new Error(t`This device has a passkey for your account already.`, { cause: error });
    }
  }
  throw new Error(t`No passkey was used: it was cancelled, took too long, or none is on this device.`);
}
