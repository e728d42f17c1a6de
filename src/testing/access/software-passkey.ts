import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { HttpPerson } from './http-person.ts';

/** A passkey without a device: it creates what a browser would send (WebAuthn, level 3). */
export interface SoftwarePasskey {
  readonly add: (person: HttpPerson, name: string) => ReturnType<HttpPerson['act']>;
  readonly signIn: (person: HttpPerson) => ReturnType<HttpPerson['act']>;
  /** Returns the response to the options of an attempt that has begun. */
  readonly respond: (begun: Readonly<Record<string, unknown>>) => Response;
}

interface Response {
  readonly id: string;
  readonly name: string;
  readonly response: string;
}

const FLAGS = { isPresentAndVerified: 0x05, hasCredential: 0x40 } as const;

export function createSoftwarePasskey(address: string): SoftwarePasskey {
  const { origin, hostname } = new URL(address);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let uses = 0;

  const toResponse = (begun: Readonly<Record<string, unknown>>, name: string, type: 'create' | 'get'): Response => {
    const { challenge } = JSON.parse(String(begun['options'])) as { readonly challenge: string };
    const clientData = Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }));
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE((uses += 1));
    const head = (flags: number): Buffer => Buffer.concat([sha256(hostname), Buffer.of(flags), counter]);
    const response = {
      clientDataJSON: clientData.toString('base64url'),
      ...(type === 'create'
        ? attest(head(FLAGS.isPresentAndVerified | FLAGS.hasCredential))
        : assert(head(FLAGS.isPresentAndVerified), clientData)),
    };
    const text = id.toString('base64url');
    return {
      id: String(begun['id']),
      name,
      response: JSON.stringify({ id: text, rawId: text, type: 'public-key', clientExtensionResults: {}, response }),
    };
  };
  const attest = (head: Buffer): object => {
    const key = cborMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const authData = Buffer.concat([head, Buffer.alloc(16), Buffer.of(0, id.byteLength), id, key]);
    return {
      attestationObject: cborMap([
        ['fmt', 'none'],
        ['attStmt', null],
        ['authData', authData],
      ]).toString('base64url'),
      transports: [],
    };
  };
  const assert = (authData: Buffer, clientData: Buffer): object => ({
    authenticatorData: authData.toString('base64url'),
    signature: sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey).toString('base64url'),
  });
  const respond = (begun: Readonly<Record<string, unknown>>): Response => toResponse(begun, '', 'get');
  return {
    add: async (person, name) => {
      const begun = await person.act('beginPasskey');
      return begun.status === 200 ? person.act('addPasskey', toResponse(begun.body, name, 'create')) : begun;
    },
    signIn: async (person) => person.act('signInWithPasskey', respond((await person.act('beginPasskeySignIn')).body)),
    respond,
  };
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

type Value = number | string | Buffer | null;

/** Encodes as much of CBOR (RFC 8949) as a passkey contains. Null stands for an empty map. */
function cborMap(entries: readonly (readonly [Value, Value])[]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat().map(toCbor)]);
}

function toCbor(value: Value): Buffer {
  if (value === null) return cborHead(5, 0);
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  const bytes = Buffer.from(value as string);
  return Buffer.concat([cborHead(typeof value === 'string' ? 3 : 2, bytes.byteLength), bytes]);
}

function cborHead(type: number, value: number): Buffer {
  const short = 24;
  return value < short ? Buffer.of((type << 5) | value) : Buffer.of((type << 5) | short, value);
}
