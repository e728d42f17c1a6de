import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CADDY, installCaddy } from '#testing/proxy/install-caddy.ts';
import { startDesk } from '#testing/start-desk.ts';
import { root } from './paths.mjs';

const read = (...path: readonly string[]): string => readFileSync(join(root, 'deploy', ...path), 'utf8');

describe('the unit of systemd', () => {
  /** The exposure of a service, from 0 for one that can do nothing to 10. */
  const MOST_EXPOSED = 2;

  beforeAll(() => {
    if (spawnSync('systemd-analyze', ['--version']).status !== 0)
      throw new Error('systemd-analyze is missing: install systemd, and try again. Nothing is started by it.');
  });

  /** Writes the unit without the installed command, which does not exist here. */
  function writeUnit(): string {
    const folder = mkdtempSync(join(tmpdir(), 'perpdesk-unit-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    writeFileSync(
      join(folder, 'perpdesk.service'),
      read('systemd', 'perpdesk.service').replace('/usr/local/bin/perpdesk', process.execPath),
    );
    return join(folder, 'perpdesk.service');
  }

  it('has no line that systemd does not know', () => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', writeUnit()], {
      encoding: 'utf8',
    });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  });

  it('exposes little of the machine to the service', () => {
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', writeUnit()], {
      encoding: 'utf8',
    });
    const level = Number(/Overall exposure level for perpdesk\.service: ([\d.]+)/.exec(stdout)?.[1]);
    expect(level).toBeLessThan(MOST_EXPOSED);
  });
});

describe('the composition of containers', () => {
  // The first run may install the proxy.
  beforeAll(installCaddy, 300_000);

  it('is a desk for a team, which only its proxy reaches, at the name in the file of the proxy', async () => {
    const compose = read('container', 'compose.yaml');
    const environment = Object.fromEntries(
      [...compose.matchAll(/^ {6}(DESK_[A-Z_]+): "?([^"\n]+)"?$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    const addressOf = (service: string) =>
      new RegExp(String.raw`^ {2}${service}:\n(?: {4}.*\n|\n)*? {8}ipv4_address: (\S+)`, 'm').exec(compose)?.[1];
    expect(environment).toMatchObject({
      DESK_ACCESS: 'users',
      DESK_HOST: '0.0.0.0',
      DESK_TRUSTED_PROXY: addressOf('caddy'),
    });
    // Both ports are fixed, so that neither is assigned the other's.
    expect(addressOf('perpdesk')).toMatch(/^172\.30\.20\.\d+$/);
    expect(addressOf('perpdesk')).not.toBe(addressOf('caddy'));
    expect(read('container', 'Caddyfile')).toContain(
      `\n${new URL(environment['DESK_PUBLIC_URL'] ?? '').host} {\n\treverse_proxy perpdesk:${environment['DESK_PORT'] ?? ''}\n`,
    );
    const { stderr, status } = spawnSync(
      CADDY,
      ['validate', '--adapter', 'caddyfile', '--config', join(root, 'deploy', 'container', 'Caddyfile')],
      { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: tmpdir() } },
    );
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('not formatted')]);
    // The server starts with these settings and serves the machine itself, as programs beside it do.
    const desk = await startDesk({ server: { ...environment, DESK_PORT: '0' } });
    onTestFinished(desk.stop);
    const port = new URL(desk.server.address).port;
    expect((await fetch(`http://127.0.0.1:${port}/api/desk/me`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/api/desk/working`)).status).toBe(401);
  });
});
