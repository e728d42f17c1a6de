import { describe, expect, it } from 'vitest';
import { readDeskSettings } from './desk-settings.ts';
import { createSource, type Environment } from './source.ts';
import type { ReachSettings } from './reach-settings.ts';

const LOCAL: ReachSettings = { access: 'local', publicUrl: null, tls: null, trustedProxies: [] };
const files = {
  read: (path: string) => {
    if (path === '/etc/group') return 'root:x:0:\nweb:x:33:caddy,perpdesk\n';
    throw new Error('ENOENT');
  },
  credentialOf: () => null,
  readSecret: () => ({ problem: 'cannot be read' }),
};

function read(environment: Environment, reach: Partial<ReachSettings> = {}) {
  const problems: string[] = [];
  return { settings: readDeskSettings(createSource(environment, files, problems), { ...LOCAL, ...reach }), problems };
}

describe('the server settings', () => {
  it('default to port 8080 of this machine', () => {
    expect(read({}).settings).toEqual({ host: '127.0.0.1', port: 8080 });
  });

  it('follow the environment', () => {
    expect(read({ DESK_HOST: '::1', DESK_PORT: '9000' }).settings).toEqual({ host: '::1', port: 9000 });
    expect(read({ DESK_HOST: 'localhost', DESK_PORT: '0' }).settings).toEqual({ host: 'localhost', port: 0 });
  });

  it('treat an empty variable as unset', () => {
    expect(read({ DESK_HOST: '', DESK_PORT: ' ' }).settings).toEqual({ host: '127.0.0.1', port: 8080 });
  });

  it.each(['65536', '-1', '8080.5', '0x50', '1e3', 'http', '99999'])(
    'reject the port %j and name its variable',
    (port) => {
      const { settings, problems } = read({ DESK_PORT: port });
      expect(settings).toBeNull();
      expect(problems).toEqual([expect.stringContaining(`DESK_PORT is "${port}"`)]);
    },
  );

  it('report every mistake at once', () => {
    expect(read({ DESK_HOST: '0.0.0.0', DESK_PORT: 'web' }).problems).toEqual([
      expect.stringMatching(/^DESK_HOST/),
      expect.stringMatching(/^DESK_PORT/),
    ]);
  });
});

describe('an address that other machines can reach', () => {
  const publicUrl = 'https://desk.example';
  const tls = { cert: 'cert.pem', key: 'key.pem' };

  it.each(['0.0.0.0', '::', '192.168.1.5', 'desk.example'])('%s is refused while nobody has to sign in', (host) => {
    const { settings, problems } = read({ DESK_HOST: host }, { publicUrl, tls });
    expect(settings).toBeNull();
    expect(problems).toEqual([
      `DESK_HOST is "${host}", which other machines can reach, but people would not have to sign in: set DESK_ACCESS to users, oidc or proxy. For this machine only, use 127.0.0.1, ::1 or localhost.`,
    ]);
  });

  it('is refused without a name to open, and without encryption', () => {
    expect(read({ DESK_HOST: '::' }, { access: 'users', tls }).problems).toEqual([
      expect.stringContaining('set DESK_PUBLIC_URL'),
    ]);
    expect(read({ DESK_HOST: '::' }, { access: 'users', publicUrl }).problems).toEqual([
      expect.stringContaining('set DESK_TLS_CERT and DESK_TLS_KEY, or DESK_TRUSTED_PROXY'),
    ]);
  });

  it.each([{ tls }, { trustedProxies: ['10.0.0.7'] }])('is accepted with %j', (encrypted) => {
    expect(read({ DESK_HOST: '::' }, { access: 'oidc', publicUrl, ...encrypted })).toEqual({
      settings: { host: '::', port: 8080 },
      problems: [],
    });
  });
});

describe('a Unix socket', () => {
  it('takes the place of address and port', () => {
    expect(read({ DESK_SOCKET: '/run/desk.sock', DESK_PORT: ' ' }).settings).toEqual({
      socket: '/run/desk.sock',
      groupId: null,
    });
  });

  it('excludes both', () => {
    const { problems } = read({ DESK_SOCKET: '/run/desk.sock', DESK_HOST: '127.0.0.1', DESK_PORT: '0' });
    expect(problems).toEqual(
      ['DESK_HOST', 'DESK_PORT'].map((name) => `DESK_SOCKET and ${name} are both set: use only one of them.`),
    );
  });

  it('has a path that the system can hold', () => {
    expect(read({ DESK_SOCKET: `/${'s'.repeat(102)}` }).problems).toEqual([]);
    expect(read({ DESK_SOCKET: `/${'é'.repeat(52)}` }).problems).toEqual([
      expect.stringMatching(/^DESK_SOCKET must be a path of at most 103 bytes/),
    ]);
  });

  it('may be shared with a group of this machine, by name or number', () => {
    for (const [group, groupId] of [
      ['web', 33],
      ['4711', 4_711],
    ] as const) {
      expect(read({ DESK_SOCKET: '/run/desk.sock', DESK_SOCKET_GROUP: group }).settings).toEqual({
        socket: '/run/desk.sock',
        groupId,
      });
    }
    expect(read({ DESK_SOCKET: '/run/desk.sock', DESK_SOCKET_GROUP: 'www' })).toEqual({
      settings: null,
      problems: [expect.stringMatching(/^DESK_SOCKET_GROUP is "www", which \/etc\/group does not contain/)],
    });
    expect(read({ DESK_SOCKET_GROUP: 'web' }).problems).toEqual([
      'DESK_SOCKET_GROUP is set without DESK_SOCKET: a port has no group.',
    ]);
  });
});
