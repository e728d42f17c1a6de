import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packPerpdesk } from '#testing/install-package.ts';
import { CADDY, installCaddy } from '#testing/install-debian.ts';
import { createMachine, findGroup, type Machine } from '#testing/service/start-service.ts';
import { startDesk } from '#testing/start-desk.ts';
import { root } from './paths.mjs';

/** A user of the machine, and a group that only this user has. No distribution assigns this number. */
const OTHER_USER = 64_902;

const read = (...path: readonly string[]): string => readFileSync(join(root, 'deploy', ...path), 'utf8');

describe.each([['perpdesk.service'], ['perpdesk-backup.service']])('the unit %s of systemd', (unit) => {
  /** The exposure of a service, from 0 for one that can do nothing to 10. */
  const MOST_EXPOSED = 2;

  beforeAll(() => {
    if (spawnSync('systemd-analyze', ['--version']).status !== 0)
      throw new Error('systemd-analyze is missing: install systemd, and try again. Nothing is started by it.');
  });

  /** Writes all units and the drop-in without the installed command, which does not exist here. */
  function writeUnits(): string {
    const folder = mkdtempSync(join(tmpdir(), 'perpdesk-unit-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    mkdirSync(join(folder, 'perpdesk.service.d'));
    for (const name of ['perpdesk.service', 'perpdesk-backup.service', 'perpdesk-backup.timer'])
      writeFileSync(join(folder, name), read('systemd', name).replaceAll('/usr/local/bin/perpdesk', process.execPath));
    writeFileSync(join(folder, 'perpdesk.service.d', 'socket.conf'), read('systemd', 'socket.conf'));
    return folder;
  }

  it('has no line that systemd does not know, nor have its drop-in and its timer', () => {
    const folder = writeUnits();
    const timer = unit.replace('.service', '.timer');
    const units = [unit, timer].map((name) => join(folder, name)).filter((path) => existsSync(path));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], {
      encoding: 'utf8',
    });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  });

  it('exposes little of the machine to the service, with its drop-in as well', () => {
    const { stdout } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', '--no-pager', join(writeUnits(), unit)],
      { encoding: 'utf8' },
    );
    const level = Number(/Overall exposure level for perpdesk\S*\.service: ([\d.]+)/.exec(stdout)?.[1]);
    expect(level).toBeLessThan(MOST_EXPOSED);
  });
});

describe('the installation for a team', () => {
  let machine: Machine;
  const settings =
    /\/etc\/perpdesk\/perpdesk\.env <<'END'\n([^]*?)\nEND\n/.exec(
      readFileSync(join(root, 'docs', 'install.md'), 'utf8'),
    )?.[1] ?? '';

  beforeAll(() => {
    // The package creates the group of the proxy.
    installCaddy();
    machine = createMachine(packPerpdesk());
  }, 300_000);
  afterAll(() => {
    machine.remove();
  });

  /** Sends a request through the socket as a user of the machine with this group; returns what curl prints. */
  function request(path: string, gid: number) {
    const socket = machine.pathOf(/^DESK_SOCKET=(.*)$/m.exec(settings)?.[1] ?? '');
    const { status, stdout } = spawnSync(
      'curl',
      ['-sS', '-o', '/dev/null', '-w', '%{http_code}', '--unix-socket', socket, `http://desk.example${path}`],
      { encoding: 'utf8', uid: OTHER_USER, gid },
    );
    return { status, response: stdout };
  }

  it(
    'starts as systemd would start it, answers the group of the proxy and no other user, and is backed up',
    { timeout: 300_000 },
    async () => {
      const desk = await machine.start(
        [read('systemd', 'perpdesk.service'), read('systemd', 'socket.conf')],
        settings,
        'perpdesk: ready at',
      );
      onTestFinished(desk.stop);
      expect([desk.code, desk.output]).toEqual([
        null,
        expect.stringContaining('perpdesk: ready at unix:/run/perpdesk/desk.sock'),
      ]);
      expect(request('/', findGroup('caddy'))).toEqual({ status: 0, response: '200' });
      expect(request('/api/desk/working', findGroup('caddy'))).toEqual({ status: 0, response: '401' });
      // Connecting is refused.
      expect(request('/', OTHER_USER)).toEqual({ status: 7, response: '000' });

      const backup = await machine.start([read('systemd', 'perpdesk-backup.service')], settings);
      expect([backup.code, backup.output]).toEqual([0, expect.stringContaining('.zip')]);
      const [name = '', ...others] = readdirSync(machine.pathOf('/var/lib/perpdesk-backup'));
      expect([name, others]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d-\d{6}\.zip$/), []]);
      expect(statSync(join(machine.pathOf('/var/lib/perpdesk-backup'), name)).mode & 0o777).toBe(0o600);
    },
  );
});

describe('the documents', () => {
  beforeAll(installCaddy, 300_000);

  const examples = globSync('docs/*.md', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^(desk\.example \{\n[^]*?\n\}\n)/gm)].map(
      ([text], index) => [file, index + 1, text] as const,
    ),
  );

  it.each(examples)('%s, example %i: Caddy reads it, and would not format it otherwise', (_file, _number, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'perpdesk-caddyfile-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    writeFileSync(join(folder, 'Caddyfile'), text);
    const { stderr, status } = spawnSync(
      CADDY,
      ['validate', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
      { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: folder } },
    );
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('not formatted')]);
  });

  it('have examples for Caddy', () => {
    expect(examples.map(([file]) => file)).toContain('docs/install.md');
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
