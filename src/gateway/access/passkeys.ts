import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { VenueFailure } from '../venue-failure.ts';
import type { AccessBook } from './access-book.ts';
import { ATTEMPT_MS, type Attempts } from './attempts.ts';
import type { PasskeyRecord, PersonRecord } from './records.ts';
import type { OriginOf, Requesting, Input } from './requesting.ts';
import { newId } from './secrets.ts';
import { mustBeKept, mustHaveSession, openSession, type SignInParts } from './sign-in.ts';
import { siteOf, type Site } from './site.ts';

export interface PasskeyParts extends SignInParts {
  readonly originOf: OriginOf;
  readonly attempts: Attempts<Begun>;
}

/** What an attempt begins with. */
export interface Begun extends Site {
  readonly challenge: string;
  /** Who adds a passkey; null: somebody signs in. */
  readonly personId: string | null;
}

interface Given {
  readonly id: string;
  readonly name: string;
  readonly response: string;
}

const MOST_PASSKEYS = 20;
const LONGEST_NAME = 64;

/** It is large, and needed only by those who use passkeys. */
const webAuthn = () => import('@simplewebauthn/server');

/** Signing in with a passkey. */
export function createPasskeyActions(parts: PasskeyParts) {
  const { book, lockOut, audit, addressOf, originOf, attempts, now } = parts;
  return {
    beginPasskeySignIn: async ({ context: { request } }: Pick<Input<null>, 'context'>) => {
      const site = siteOf(originOf(request));
      const options = await (await webAuthn()).generateAuthenticationOptions({ rpID: site.rpId, userVerification: 'required', timeout: ATTEMPT_MS });
      return { id: attempts.begin({ ...site, challenge: options.challenge, personId: null }), options: JSON.stringify(options) };
    },
    signInWithPasskey: async ({ body, context }: Pick<Input<Given>, 'body' | 'context'>) => {
      const attempt = { name: null, address: addressOf(context.request), device: null };
      lockOut.begin(attempt);
      const begun = finish(attempts, body.id, null);
      try {
        const person = await verifySignIn(book, begun, parseResponse(body.response) as AuthenticationResponseJSON, now());
        lockOut.succeed(attempt);
        return await openSession(parts, context, person, 'passkey');
      } catch (error) {
        if (error instanceof VenueFailure && error.problem.type === 'not-signed-in') audit.gather({ kind: 'sign-in refused', who: '', name: '', address: attempt.address, detail: 'A passkey was not accepted.' });
        throw error;
      }
    },
  };
}

/** What people do about their own passkeys. */
export function createOwnPasskeyActions(parts: PasskeyParts) {
  const { book, viewers, audit, addressOf, originOf, attempts, now } = parts;
  const changed = ({ viewer, request }: Requesting, detail: string): Promise<void> => audit.record({ kind: 'person changed', who: viewer.id, name: viewer.name, address: addressOf(request), detail });
  return {
    beginPasskey: async ({ context: { request, viewer } }: Pick<Input<null>, 'context'>) => {
      const { personId } = mustHaveSession(viewers.identityOf(viewer));
      const person = mustBeKept(book.state().people.get(personId));
      const site = siteOf(originOf(request));
      const options = await (await webAuthn()).generateRegistrationOptions({
        rpName: 'Perpdesk',
        rpID: site.rpId,
        userName: person.name,
        userDisplayName: person.name,
        userID: new Uint8Array(Buffer.from(personId)),
        timeout: ATTEMPT_MS,
        attestationType: 'none',
        excludeCredentials: passkeysOf(book, personId).map(({ credential, transports }) => ({ id: credential, transports: [...transports] })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      return { id: attempts.begin({ ...site, challenge: options.challenge, personId }), options: JSON.stringify(options) };
    },
    addPasskey: async ({ body, context }: Pick<Input<Given>, 'body' | 'context'>) => {
      const { personId } = mustHaveSession(viewers.identityOf(context.viewer));
      const name = body.name.trim();
      if (name === '' || name.length > LONGEST_NAME) throw new VenueFailure({ type: 'bad-body', detail: 'The passkey needs a name.', errors: [{ path: '$.name', detail: `must have 1 to ${String(LONGEST_NAME)} characters` }] });
      const passkey = await verifyNew(finish(attempts, body.id, personId), parseResponse(body.response) as RegistrationResponseJSON, { person: personId, name, createdAt: now() });
      await book.change((state) => {
        mustBeKept(state.people.get(personId));
        const all = [...state.passkeys.values()];
        if (all.some(({ credential }) => credential === passkey.credential)) throw new VenueFailure({ type: 'not-allowed', detail: 'This passkey was already added.' });
        if (all.filter(({ person }) => person === personId).length >= MOST_PASSKEYS) throw new VenueFailure({ type: 'not-allowed', detail: `You have ${String(MOST_PASSKEYS)} passkeys, which is the maximum. Delete one that is no longer used.` });
        return [{ put: { passkeys: [passkey] } }, undefined];
      });
      await changed(context, `Added the passkey "${name}".`);
      return { count: 1 };
    },
    deletePasskey: async ({ query, context }: Pick<Input<null>, 'query' | 'context'>) => {
      const { personId } = mustHaveSession(viewers.identityOf(context.viewer));
      const name = await book.change(({ passkeys }) => {
        const passkey = passkeys.get(query['id'] ?? '');
        if (passkey?.person !== personId) throw new VenueFailure({ type: 'bad-parameter', detail: 'You have no such passkey. It may have been deleted already.', parameter: 'id' });
        return [{ drop: { passkeys: [passkey.id] } }, passkey.name];
      });
      await changed(context, `Deleted the passkey "${name}".`);
      return { count: 1 };
    },
  };
}

function finish(attempts: Attempts<Begun>, id: string, personId: string | null): Begun {
  const begun = attempts.finish(id);
  if (begun?.personId !== personId) throw new VenueFailure({ type: 'not-allowed', detail: 'This attempt has expired or was already completed. Try again.' });
  return begun;
}

export function passkeysOf({ state }: Pick<AccessBook, 'state'>, personId: string): readonly PasskeyRecord[] {
  return [...state().passkeys.values()].filter(({ person }) => person === personId);
}

function parseResponse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw notAccepted();
  }
}

function notAccepted(cause?: unknown): VenueFailure {
  return new VenueFailure({ type: 'not-signed-in', detail: 'This passkey was not accepted. Use another one, or sign in with a password.' }, cause);
}

async function verifyNew({ challenge, origin, rpId }: Begun, response: RegistrationResponseJSON, of: Pick<PasskeyRecord, 'person' | 'name' | 'createdAt'>): Promise<PasskeyRecord> {
  const { verifyRegistrationResponse } = await webAuthn();
  const { registrationInfo } = await verifyRegistrationResponse({ response, expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: true }).catch((error: unknown) => {
    throw new VenueFailure({ type: 'bad-body', detail: 'The browser’s response is not a valid passkey for this site. Try again, or use another device.', errors: [{ path: '$.response', detail: 'must be a browser’s response to the options' }] }, error);
  });
  if (registrationInfo === undefined) throw notAccepted();
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return { id: newId(), ...of, credential: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports, lastUsedAt: null };
}

/** Who signs in; the counter of the passkey is stored, by which copies of it are noticed. */
async function verifySignIn(book: Pick<AccessBook, 'state' | 'change'>, { challenge, origin, rpId }: Begun, response: AuthenticationResponseJSON, now: number): Promise<PersonRecord> {
  const passkey = [...book.state().passkeys.values()].find(({ credential }) => credential === (response as Partial<AuthenticationResponseJSON> | null)?.id);
  const person = passkey && book.state().people.get(passkey.person);
  if (passkey === undefined || person === undefined || person.disabled) throw notAccepted();
  const { verifyAuthenticationResponse } = await webAuthn();
  const credential = { id: passkey.credential, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')), counter: passkey.counter };
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({ response, expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpId, credential, requireUserVerification: true }).catch((error: unknown) => {
    throw notAccepted(error);
  });
  if (!verified) throw notAccepted();
  await book.change(({ passkeys }) => [passkeys.has(passkey.id) ? { put: { passkeys: [{ ...passkey, counter: authenticationInfo.newCounter, lastUsedAt: now }] } } : {}, undefined]);
  return person;
}
