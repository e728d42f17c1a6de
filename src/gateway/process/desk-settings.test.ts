import { describe, expect, it } from 'vitest';
import { readDeskSettings } from './desk-settings.ts';

describe('the server settings', () => {
  it('default to port 8080 of this machine', () => {
    expect(readDeskSettings({}).settings).toEqual({ host: '127.0.0.1', port: 8080 });
  });

  it('follow the environment', () => {
    expect(readDeskSettings({ DESK_HOST: '::1', DESK_PORT: '9000' }).settings).toEqual({ host: '::1', port: 9000 });
    expect(readDeskSettings({ DESK_HOST: 'localhost', DESK_PORT: '0' }).settings).toEqual({
      host: 'localhost',
      port: 0,
    });
  });

  it('treat an empty variable as unset', () => {
    expect(readDeskSettings({ DESK_HOST: '', DESK_PORT: ' ' }).settings).toEqual({ host: '127.0.0.1', port: 8080 });
  });

  it.each(['65536', '-1', '8080.5', '0x50', '1e3', 'http', '99999'])('reject the port %j and name its variable', (port) => {
    const { settings, problems } = readDeskSettings({ DESK_PORT: port });
    expect(settings).toBeNull();
    expect(problems).toEqual([expect.stringContaining(`DESK_PORT is "${port}"`)]);
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'desk.example'])(
    'refuse the address %s, which others could reach',
    (host) => {
      expect(readDeskSettings({ DESK_HOST: host }).problems).toEqual([
        expect.stringContaining(`DESK_HOST is "${host}"`),
      ]);
    },
  );

  it('report every mistake at once', () => {
    const { problems } = readDeskSettings({ DESK_HOST: '0.0.0.0', DESK_PORT: 'web' });
    expect(problems).toEqual([expect.stringMatching(/^DESK_HOST/), expect.stringMatching(/^DESK_PORT/)]);
  });
});

describe('a Unix socket', () => {
  it('takes the place of address and port', () => {
    expect(readDeskSettings({ DESK_SOCKET: '/run/desk.sock', DESK_PORT: ' ' }).settings).toEqual({ socket: '/run/desk.sock' });
  });

  it('excludes both', () => {
    const { problems } = readDeskSettings({ DESK_SOCKET: '/run/desk.sock', DESK_HOST: '127.0.0.1', DESK_PORT: '0' });
    expect(problems).toEqual(['DESK_HOST', 'DESK_PORT'].map((name) => `DESK_SOCKET and ${name} are both set: use only one of them.`));
  });

  it('has a path that the system can hold', () => {
    expect(readDeskSettings({ DESK_SOCKET: `/${'s'.repeat(102)}` }).problems).toBeNull();
    expect(readDeskSettings({ DESK_SOCKET: `/${'é'.repeat(52)}` }).problems).toEqual([expect.stringMatching(/^DESK_SOCKET must be a path of at most 103 bytes/)]);
  });
});
