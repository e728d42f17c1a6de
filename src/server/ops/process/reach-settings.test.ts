import { describe, expect, it } from 'vitest';
import { makeSelfSigned } from '#testing/faults/self-signed.ts';
import { createSource, type Environment } from './source.ts';
import { readReachSettings } from './reach-settings.ts';

const pair = makeSelfSigned(Date.now());
const other = makeSelfSigned(Date.now());
const contents: Readonly<Record<string, string>> = {
  'cert.pem': pair.cert,
  'key.pem': pair.key,
  'other.pem': other.key,
  'text.pem': 'nothing',
  'cut.pem': pair.cert + pair.cert.slice(0, -40),
  'joined.pem': pair.cert + pair.cert.trimEnd() + pair.cert,
};
const files = {
  read: (path: string) =>
    contents[path] ??
    (() => {
      throw new Error('ENOENT');
    })(),
  credentialOf: () => null,
  readSecret: (path: string) =>
    path === 'shared.pem'
      ? { problem: 'other users may access (mode 644): run chmod 600 on it' }
      : { text: contents[path] ?? '' },
};

function read(environment: Environment) {
  const problems: string[] = [];
  return { settings: readReachSettings(createSource(environment, files, problems)), problems };
}

describe('the public address', () => {
  it.each([
    ['https://desk.example', 'https://desk.example'],
    ['https://DESK.example:443/', 'https://desk.example'],
    ['https://desk.example:8443', 'https://desk.example:8443'],
    ['http://localhost:9000', 'http://localhost:9000'],
  ])('%s is %s', (text, publicUrl) => {
    expect(read({ DESK_ACCESS: 'users', DESK_PUBLIC_URL: text })).toMatchObject({
      settings: { publicUrl, access: 'users' },
      problems: [],
    });
  });

  it.each([
    'desk.example',
    'https://desk.example/path',
    'https://desk.example/?a',
    'https://desk.example/#a',
    'https://user@desk.example',
    'ftp://desk.example',
    'https://',
  ])('%s is a mistake', (text) => {
    expect(read({ DESK_ACCESS: 'users', DESK_PUBLIC_URL: text })).toMatchObject({
      settings: { publicUrl: null },
      problems: [expect.stringMatching(/^DESK_PUBLIC_URL must be the address at which people open Perpdesk/)],
    });
  });

  it('is encrypted, and needs people to sign in', () => {
    expect(read({ DESK_ACCESS: 'users', DESK_PUBLIC_URL: 'http://desk.example' }).problems).toEqual([
      expect.stringContaining('use https'),
    ]);
    expect(read({ DESK_PUBLIC_URL: 'https://desk.example' }).problems).toEqual([
      expect.stringMatching(/^DESK_PUBLIC_URL needs DESK_ACCESS/),
    ]);
  });
});

describe('a certificate', () => {
  it('has its key', () => {
    expect(read({ DESK_TLS_CERT: 'cert.pem', DESK_TLS_KEY: 'key.pem' })).toMatchObject({
      settings: { tls: { cert: 'cert.pem', key: 'key.pem' } },
      problems: [],
    });
  });

  it.each([
    [{ DESK_TLS_CERT: 'cert.pem' }, 'DESK_TLS_KEY is missing'],
    [{ DESK_TLS_KEY: 'key.pem' }, 'DESK_TLS_CERT is missing'],
    [{ DESK_TLS_CERT: 'none.pem', DESK_TLS_KEY: 'key.pem' }, 'DESK_TLS_CERT is "none.pem", which cannot be read.'],
    [{ DESK_TLS_CERT: 'text.pem', DESK_TLS_KEY: 'key.pem' }, 'does not begin with a certificate'],
    [{ DESK_TLS_CERT: 'cut.pem', DESK_TLS_KEY: 'key.pem' }, 'which OpenSSL rejects: '],
    [{ DESK_TLS_CERT: 'joined.pem', DESK_TLS_KEY: 'key.pem' }, 'which OpenSSL rejects: '],
    [{ DESK_TLS_CERT: 'cert.pem', DESK_TLS_KEY: 'text.pem' }, 'not a private key'],
    [{ DESK_TLS_CERT: 'cert.pem', DESK_TLS_KEY: 'other.pem' }, 'not the key of the certificate'],
    [{ DESK_TLS_CERT: 'cert.pem', DESK_TLS_KEY: 'shared.pem' }, 'other users may access'],
  ])('as in %j is a mistake', (environment, sentence) => {
    expect(read(environment)).toMatchObject({ settings: { tls: null }, problems: [expect.stringContaining(sentence)] });
  });
});

it('trusted proxies are addresses or subnets', () => {
  expect(read({ DESK_TRUSTED_PROXY: '10.0.0.7, fd00::/8' }).settings.trustedProxies).toEqual(['10.0.0.7', 'fd00::/8']);
  for (const text of ['proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::1/129']) {
    expect(read({ DESK_TRUSTED_PROXY: text }).problems).toEqual([
      expect.stringMatching(/^DESK_TRUSTED_PROXY must be addresses/),
    ]);
  }
});
