/** The browser's side of passkeys, using its built-in JSON conversions (WebAuthn Level 3). */

/** Returns whether this browser supports passkeys on this page. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

/** Returns whether the browser offers passkeys next to the user names it has stored. */
export async function offersPasskeys(): Promise<boolean> {
  return hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable());
}

/** Lets the user choose a passkey. Rejects if none is chosen. */
export async function usePasskey(
  options: string,
  how: Pick<CredentialRequestOptions, 'mediation' | 'signal'>,
): Promise<string> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON,
  );
  return toJson(await navigator.credentials.get({ ...how, publicKey }));
}

/** Creates a passkey. Rejects if the user cancels, or already has one on this device. */
export async function createPasskey(options: string): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON,
  );
  return toJson(await navigator.credentials.create({ publicKey }));
}

function toJson(credential: Credential | null): string {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser returned no passkey.');
  return JSON.stringify(credential.toJSON());
}
