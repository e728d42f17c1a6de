import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { clearedSettings } from '#testing/cleared-settings.ts';
import { sendRequest } from '#testing/http-client.ts';
import { root } from './paths.mjs';

const MAX_BYTES = 3_000_000;

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const folder = mkdtempSync(join(tmpdir(), 'perpdesk-package-'));
const installed = join(folder, 'node_modules', 'perpdesk');
const environment = {
  ...process.env,
  ...clearedSettings(),
  DESK_PORT: '0',
  DESK_DATA_DIR: join(folder, 'data'),
  DESK_LOG_LEVEL: 'error',
};

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>;
}

const dependenciesOf = (path: string): readonly string[] =>
  Object.keys((JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Package).dependencies ?? {});

/**
 * Copies what npm would install with the package from the installed packages of the repository. Nothing for development
 * is included.
 */
function linkDependencies(): void {
  const linked = new Set<string>();
  const waiting = [...dependenciesOf(installed)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (linked.has(name)) continue;
    linked.add(name);
    const [source, target] = [join(root, 'node_modules', name), join(folder, 'node_modules', name)];
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(source, target);
    waiting.push(...dependenciesOf(source));
  }
}

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
  execFileSync(process.execPath, ['src/tools/launch.mjs', 'package'], { cwd: root, stdio: 'pipe' });
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(root, `perpdesk-${version}.tgz`), '--strip-components=1', '-C', installed]);
  linkDependencies();
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the package', () => {
  it('is small', () => {
    expect(statSync(join(root, `perpdesk-${version}.tgz`)).size).toBeLessThan(MAX_BYTES);
  });

  it('serves the built page and the embedded exchange, and stops cleanly', async () => {
    const child = spawn(process.execPath, [join(installed, 'lib', 'perpdesk.js')], { cwd: folder, env: environment });
    onTestFinished(() => {
      child.kill();
    });
    const exited = once(child, 'exit');
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const [, address = ''] = /^perpdesk: ready at (http:\S+)$/.exec(line) ?? [];
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

  it.each([
    [['sevre'], '"sevre" is not a command'],
    [['serve', '--port=9000'], 'perpdesk serve takes no arguments'],
  ])('rejects %j', (args, sentence) => {
    expect(perpdesk(...args)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining(`perpdesk: ${sentence}`) as string,
    });
  });
});
