/** The browser's side of passkeys, by its own conversions from and to JSON (WebAuthn, level 3). */

/** Whether this browser has passkeys, in a page that may use them. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

/** Whether it offers them beside the names that it has stored. */
export async function offersPasskeys(): Promise<boolean> {
  return hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable());
}

/** Lets the user choose a passkey. Rejects where none is chosen. */
export async function usePasskey(
  options: string,
  how: Pick<CredentialRequestOptions, 'mediation' | 'signal'>,
): Promise<string> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON,
  );
  return toJson(await navigator.credentials.get({ ...how, publicKey }));
}

/** Creates one. Rejects where the user cancels, or has one here already. */
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
