import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sendRequest } from '#testing/http-client.ts';
import { startAuthServer, type AuthServer } from '#testing/proxy/auth-server.ts';
import { ME, meOf, openBehindSocket, openWithTokens } from '#testing/proxy/open-behind-proxy.ts';
import { startCaddy } from '#testing/proxy/start-caddy.ts';

let auth: AuthServer;

const reach = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'reach.md'), 'utf8');

/** Returns the directives of the page’s example with this line, for the servers of the test. */
function directivesOf(line: string, socket: string): string {
  const [, directives = ''] =
    [...reach.matchAll(/^```\ndesk\.example \{\n([^]*?)\n\}\n```$/gm)].find(([block]) => block.includes(line)) ?? [];
  return directives
    .replace('localhost:9091', auth.host)
    .replace('/api/authz/forward-auth', '/')
    .replace('unix//run/perpdesk/desk.sock', `unix/${socket}`);
}

beforeAll(async () => {
  auth = await startAuthServer();
});

afterAll(() => auth.close());

async function openCaddy(directives: string) {
  const caddy = await startCaddy(directives);
  onTestFinished(() => caddy.stop());
  return (path: string, headers: Readonly<Record<string, string>> = {}) =>
    sendRequest(caddy.address, { path, headers });
}

// The first run may install the proxy.
describe('behind Caddy', { timeout: 300_000 }, () => {
  it('on a Unix socket, each person has the roles and accounts of their groups', async () => {
    const desk = await openBehindSocket();
    const send = await openCaddy(directivesOf('localhost:9091', desk.socket));
    expect((await send(ME)).body.toString()).toBe('Who are you?');
    expect(meOf((await send(ME, { cookie: 'who=ann.traders' })).body)).toMatchObject({
      id: 'ann',
      name: 'ann',
      roles: ['orders'],
      scope: { all: false, accounts: ['NORD-105'] },
      way: 'proxy',
    });
    expect(meOf((await send(ME, { cookie: 'who=eve.others' })).body)).toMatchObject({ id: 'eve', roles: [] });
    // The proxy names no groups of this person, so that the client’s own header might remain.
    expect(meOf((await send(ME, { 'cookie': 'who=eve', 'Remote-Groups': 'desk' })).body)).toMatchObject({ roles: [] });
    expect((await send('/api/desk/people', { cookie: 'who=ann.traders' })).status).toBe(403);
    expect((await send('/api/desk/people', { cookie: 'who=bo.desk' })).status).toBe(200);
    // Headers that Caddy passes on beside its own.
    expect((await send(ME, { cookie: 'who=ann.traders', Remote_User: 'bo' })).status).toBe(403);
    expect((await send(ME, { 'cookie': 'who=ann.traders', 'Remote-User': 'bo' })).body.toString()).not.toContain(
      '"bo"',
    );
  });

  it('on a port, by the tokens that it signs', async () => {
    const desk = await openWithTokens(`http://${auth.host}/keys`);
    const send = await openCaddy(
      `forward_auth ${auth.host} {\n uri /\n copy_headers Proxy-Token\n}\nreverse_proxy ${new URL(desk.address ?? '').host}`,
    );
    expect(meOf((await send(ME, { cookie: 'who=ann.traders' })).body)).toMatchObject({ id: 'ann', roles: ['orders'] });
  });
});
