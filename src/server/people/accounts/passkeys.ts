import { isIP } from 'node:net';
import { hasUnseen, NO_UNSEEN } from '#contract/desk/unseen.ts';
import { describeMistakes, VenueFailure } from '#server/core/venue-failure.ts';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { LOCKED_OUT } from '../audit/audit-store.ts';
import type { AccessRegistry } from './access-registry.ts';
import { ATTEMPT_MS, type Attempts, forgetAttempt } from './attempts.ts';
import type { PasskeyRecord, PersonRecord } from './records.ts';
import type { Input, OriginOf, Requesting } from './requesting.ts';
import { newId } from './secrets.ts';
import { mustBeKept, mustBeRecent, mustHaveSession, noteVerified, openSession, type SignInDeps } from './sign-in.ts';

export interface PasskeyDeps extends SignInDeps {
  readonly originOf: OriginOf;
  readonly attempts: Attempts<Begun>;
}

/** The data an attempt begins with. */
export interface Begun {
  readonly challenge: string;
}

interface Given {
  readonly id: string;
  readonly name: string;
  readonly response: string;
}

const MOST_PASSKEYS = 20;
const LONGEST_NAME = 64;

/** Loaded on demand, because the library is large and only passkeys need it. */
const webAuthn = () => import('@simplewebauthn/server');

/** Creates the actions that sign in with a passkey. */
export function createPasskeyActions(deps: PasskeyDeps) {
  const { originOf, attempts, viewers } = deps;
  return {
    beginPasskeySignIn: async ({ context }: Pick<Input<null>, 'context'>) => {
      const { rpId } = siteOf(originOf(context.request));
      const options = await (
        await webAuthn()
      ).generateAuthenticationOptions({ rpID: rpId, userVerification: 'required', timeout: ATTEMPT_MS });
      return begin(attempts, context, options, SIGN_IN);
    },
    signInWithPasskey: async ({ body, context }: Pick<Input<Given>, 'body' | 'context'>) => {
      const person = await finish(attempts, context, body.id, SIGN_IN, (begun) =>
        verifyCounted(deps, context, begun, body.response),
      );
      return openSession(deps, context, person, 'passkey');
    },
    confirmWithPasskey: async ({ body, context }: Pick<Input<Given>, 'body' | 'context'>) => {
      const { session, personId } = mustHaveSession(viewers.identityOf(context.viewer));
      const person = await finish(attempts, context, body.id, SIGN_IN, (begun) =>
        verifyCounted(deps, context, begun, body.response),
      );
      if (person.id !== personId)
        throw new VenueFailure({
          type: 'not-allowed',
          detail: 'This passkey belongs to another person. Use one of your own.',
        });
      return noteVerified(deps, session, context, 'a passkey');
    },
  };
}

/** Creates the actions of people on their own passkeys. */
export function createOwnPasskeyActions(deps: PasskeyDeps) {
  const { book, viewers, audit, addressOf, originOf, attempts, now } = deps;
  const changed = ({ viewer, request }: Requesting, detail: string): Promise<void> =>
    audit.record({ kind: 'person changed', who: viewer.id, name: viewer.name, address: addressOf(request), detail });
  return {
    beginPasskey: async ({ context }: Pick<Input<null>, 'context'>) => {
      const { personId, session } = mustHaveSession(viewers.identityOf(context.viewer));
      const person = mustBeKept(book.state().people.get(personId));
      mustBeRecent(deps, session);
      const { rpId } = siteOf(originOf(context.request));
      const options = await (
        await webAuthn()
      ).generateRegistrationOptions({
        rpName: 'Perpdesk',
        rpID: rpId,
        userName: person.name,
        userDisplayName: person.name,
        userID: new Uint8Array(Buffer.from(personId)),
        timeout: ATTEMPT_MS,
        attestationType: 'none',
        excludeCredentials: passkeysOf(book, personId).map(({ credential, transports }) => ({
          id: credential,
          transports: [...transports],
        })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      return begin(attempts, context, options, toAdd(session.id));
    },
    addPasskey: async ({ body, context }: Pick<Input<Given>, 'body' | 'context'>) => {
      const { personId, session } = mustHaveSession(viewers.identityOf(context.viewer));
      const name = body.name.trim();
      if (name === '' || name.length > LONGEST_NAME)
        throw new VenueFailure({
          type: 'bad-body',
          detail: 'The passkey needs a name.',
          errors: [{ path: '$.name', detail: `must have 1 to ${String(LONGEST_NAME)} characters` }],
        });
      if (hasUnseen(name))
        throw new VenueFailure({
          type: 'bad-body',
          detail: describeMistakes(1, '$.name'),
          errors: [{ path: '$.name', detail: NO_UNSEEN }],
        });
      const passkey = await finish(attempts, context, body.id, toAdd(session.id), (begun) =>
        verifyNew(begun, siteOf(originOf(context.request)), parseResponse(body.response) as RegistrationResponseJSON, {
          person: personId,
          name,
          createdAt: now(),
        }),
      );
      await book.change((state) => {
        mustBeKept(state.people.get(personId));
        const all = [...state.passkeys.values()];
        if (all.some(({ credential }) => credential === passkey.credential))
          throw new VenueFailure({ type: 'not-allowed', detail: 'This passkey was already added.' });
        if (all.filter(({ person }) => person === personId).length >= MOST_PASSKEYS)
          throw new VenueFailure({
            type: 'not-allowed',
            detail:
              `You have ${String(MOST_PASSKEYS)} passkeys, which is the maximum. Delete one that ` +
              'is no longer used.',
          });
        return [{ put: { passkeys: [passkey] } }, undefined];
      });
      await changed(context, `Added the passkey "${name}".`);
      return { count: 1 };
    },
    deletePasskey: async ({ query, context }: Pick<Input<null>, 'query' | 'context'>) => {
      const { personId } = mustHaveSession(viewers.identityOf(context.viewer));
      const name = await book.change(({ passkeys }) => {
        const passkey = passkeys.get(query['id'] ?? '');
        if (passkey?.person !== personId)
          throw new VenueFailure({
            type: 'bad-parameter',
            detail: 'You have no such passkey. It may have been deleted already.',
            parameter: 'id',
          });
        return [{ drop: { passkeys: [passkey.id] } }, passkey.name];
      });
      await changed(context, `Deleted the passkey "${name}".`);
      return { count: 1 };
    },
  };
}

const SIGN_IN = 'sign in with a passkey';

/** Binds the attempt to this session, so that another session of the same person cannot finish it. */
function toAdd(sessionId: string): string {
  return `add a passkey in the session ${sessionId}`;
}

function begin(
  attempts: Attempts<Begun>,
  { request, response }: Requesting,
  options: Begun,
  purpose: string,
): { readonly id: string; readonly options: string } {
  const { id, cookies } = attempts.begin(request, { challenge: options.challenge }, purpose);
  for (const cookie of cookies) response.appendHeader('set-cookie', cookie);
  return { id, options: JSON.stringify(options) };
}

async function finish<Result extends object>(
  attempts: Attempts<Begun>,
  { request, response }: Requesting,
  id: string,
  purpose: string,
  verify: (begun: Begun) => Promise<Result>,
): Promise<Result> {
  const result = await attempts.finish(request, id, purpose, verify);
  if (result === null)
    throw new VenueFailure({
      type: 'not-allowed',
      detail: 'This attempt has expired or was already completed. Try again.',
    });
  response.appendHeader('set-cookie', forgetAttempt(id));
  return result;
}

export function passkeysOf({ state }: Pick<AccessRegistry, 'state'>, personId: string): readonly PasskeyRecord[] {
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
  return new VenueFailure(
    { type: 'not-signed-in', detail: 'This passkey was not accepted. Use another one, or sign in with a password.' },
    cause,
  );
}

async function verifyNew(
  { challenge }: Begun,
  { origin, rpId }: Site,
  response: RegistrationResponseJSON,
  of: Pick<PasskeyRecord, 'person' | 'name' | 'createdAt'>,
): Promise<PasskeyRecord> {
  const { verifyRegistrationResponse } = await webAuthn();
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw new VenueFailure(
      {
        type: 'bad-body',
        detail: 'The browser’s response is not a valid passkey for this site. Try again, or use another device.',
        errors: [{ path: '$.response', detail: 'must be a browser’s response to the options' }],
      },
      error,
    );
  });
  if (registrationInfo === undefined) throw notAccepted();
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return {
    id: newId(),
    ...of,
    credential: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports,
    lastUsedAt: null,
  };
}

/** Counts failures by passkey, as password failures count by name. */
async function verifyCounted(
  { book, devices, lockOut, audit, addressOf, originOf, now }: PasskeyDeps,
  { request }: Requesting,
  begun: Begun,
  text: string,
): Promise<PersonRecord> {
  const response = parseResponse(text) as AuthenticationResponseJSON;
  const passkey =
    [...book.state().passkeys.values()].find(
      ({ credential }) => credential === (response as Partial<AuthenticationResponseJSON> | null)?.id,
    ) ?? null;
  const attempt = {
    name: passkey && passkey.credential,
    address: addressOf(request),
    device: passkey && devices.find(request, passkey.person),
  };
  try {
    await lockOut.begin(attempt);
    const person = await verifySignIn(book, { ...begun, ...siteOf(originOf(request)) }, passkey, response, now());
    await lockOut.succeed(attempt);
    return person;
  } catch (error) {
    if (error instanceof VenueFailure)
      audit.gather({
        kind: 'sign-in refused',
        who: '',
        name: '',
        address: attempt.address,
        ...(error.problem.type === 'too-soon' ? LOCKED_OUT : { detail: 'A passkey was not accepted.' }),
      });
    throw error;
  }
}

/** Verifies a sign-in and returns the person. Stores the passkey's counter, which reveals copies of the passkey. */
async function verifySignIn(
  book: Pick<AccessRegistry, 'state' | 'change'>,
  { challenge, origin, rpId }: Begun & Site,
  passkey: PasskeyRecord | null,
  response: AuthenticationResponseJSON,
  now: number,
): Promise<PersonRecord> {
  const person = passkey && book.state().people.get(passkey.person);
  if (!passkey || !person || person.disabled) throw notAccepted();
  const { verifyAuthenticationResponse } = await webAuthn();
  const credential = {
    id: passkey.credential,
    publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
    counter: passkey.counter,
  };
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw notAccepted(error);
  });
  if (!verified) throw notAccepted();
  await book.change(({ passkeys }) => [
    passkeys.has(passkey.id)
      ? { put: { passkeys: [{ ...passkey, counter: authenticationInfo.newCounter, lastUsedAt: now }] } }
      : {},
    undefined,
  ]);
  return person;
}

/** The site that passkeys are bound to. */
interface Site {
  readonly rpId: string;
  readonly origin: string;
}

/** Returns the site of a page's origin. */
function siteOf(origin: string): Site {
  const { hostname } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new VenueFailure({
      type: 'not-allowed',
      detail: 'Passkeys need a host name, and this page is open at an IP address. Open Perpdesk as localhost.',
    });
  return { rpId: hostname, origin };
}
