import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { clearedSettings } from '#testing/cleared-settings.ts';
import { sendRequest } from '#testing/http-client.ts';
import { installPackage, packPerpdesk } from '#testing/install-package.ts';
import { root } from './paths.mjs';

/** Two thirds are the page: each of its files is packed as it is and in two compressed forms, which the server sends. */
const MAX_BYTES = 3_400_000;

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const folder = mkdtempSync(join(tmpdir(), 'perpdesk-package-'));
const installed = join(folder, 'node_modules', 'perpdesk');
let packed: string;
const environment = {
  ...process.env,
  ...clearedSettings(),
  DESK_PORT: '0',
  DESK_DATA_DIR: join(folder, 'data'),
  DESK_LOG_LEVEL: 'error',
};

function perpdesk(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(installed, 'lib', 'perpdesk.js'), ...args], {
    encoding: 'utf8',
    cwd: folder,
    env: environment,
  });
  return { status, stdout, stderr };
}

/** Starts a program with a mistake in its settings. By the time the mistake is printed, all code has been loaded. */
function startWithMistake(...args: readonly string[]): number {
  const start = performance.now();
  const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...environment, DESK_PORT: 'web' } });
  expect(stderr).toContain('DESK_PORT is "web"');
  return performance.now() - start;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

beforeAll(() => {
  packed = packPerpdesk();
  installPackage(packed, installed, 'linked');
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the package', () => {
  it('is small', () => {
    expect(statSync(packed).size).toBeLessThan(MAX_BYTES);
  });

  it('does not contain what only the bundle budget reads', () => {
    expect(existsSync(join(installed, 'dist', 'index.html'))).toBe(true);
    expect(existsSync(join(installed, 'dist', '.vite'))).toBe(false);
  });

  it('serves the built page and the embedded exchange, and stops cleanly', async () => {
    const child = spawn(process.execPath, [join(installed, 'lib', 'perpdesk.js')], { cwd: folder, env: environment });
    onTestFinished(() => {
      child.kill();
    });
    const exited = once(child, 'exit');
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const [, address = ''] = /^perpdesk: ready at (http:\S+)$/.exec(line) ?? [];
    // No launcher is left beside the server that could die without it.
    expect(readFileSync(`/proc/${String(child.pid)}/cmdline`, 'utf8')).toContain('serve.js');
    expect((await sendRequest(address)).body.toString()).toContain('<title>Perpdesk</title>');
    const status = JSON.parse((await sendRequest(address, { path: '/api/desk/status' })).body.toString()) as {
      readonly version: string;
    };
    expect(status.version).toBe(version);
    expect((await sendRequest(address, { path: '/api/desk/products' })).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('starts in no more time than the sources', () => {
    const sources: number[] = [];
    const packed: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      sources.push(startWithMistake(join(root, 'src', 'server', 'main', 'main.ts')));
      packed.push(startWithMistake(join(installed, 'lib', 'gateway.js')));
    }
    expect(median(packed) / median(sources)).toBeLessThan(1);
  });
});

describe('perpdesk', () => {
  it('prints its version, and its usage', () => {
    expect(perpdesk('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    const { status, stdout } = perpdesk('--help');
    expect(status).toBe(0);
    for (const command of [
      'serve',
      'gateway',
      'venue',
      'doctor',
      'health',
      'backup',
      'restore',
      'export-journal',
      'user',
      'audit',
      'evidence',
    ])
      expect(stdout).toMatch(new RegExp(`^ {2}${command} +\\S`, 'm'));
  });

  it('passes on what follows a command, and its exit code', () => {
    writeFileSync(join(folder, 'broken.zip'), 'no zip');
    const { status, stdout } = perpdesk('evidence', 'check', 'broken.zip');
    expect(stdout).toContain('DOES NOT');
    expect(status).toBe(1);
  });

  it('reads the file that --config names', () => {
    const file = join(folder, 'desk.env');
    writeFileSync(file, 'NODE_USE_SYSTEM_CA=1\nDESK_PROT=80\n');
    for (const config of [['--config', file], [`--config=${file}`]])
      expect(perpdesk(...config, 'health').stderr).toContain('which sets DESK_PROT in line 2');
  });

  it.each([
    [['sevre'], '"sevre" is not a command'],
    [['--config'], '--config needs the path'],
    [['serve', '--port=9000'], 'perpdesk serve takes no arguments'],
  ])('rejects %j', (args, sentence) => {
    expect(perpdesk(...args)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining(`perpdesk: ${sentence}`) as string,
    });
  });
});
