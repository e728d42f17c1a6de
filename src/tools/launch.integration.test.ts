import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { stampInstall } from './install.mjs';
import { createTemporaryHouse, type TemporaryHouse } from './temporary-house.ts';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let house: TemporaryHouse;
let written: string[] = [];

function isLauncher(path: string): boolean {
  return /^(|package(-lock)?\.json|\.npmrc|tsconfig\.json|vite\.config\.ts|src|src\/tools|src\/tools\/[^/]+\.mjs)$/.test(path);
}

function write(files: Readonly<Record<string, string>>): void {
  house.write(files);
  written.push(...Object.keys(files));
}

/** The folder of a stand-in for npm, which leaves a line a call and does what it is told. */
function npmThat(does: string): string {
  write({ 'fake/npm': `#!/bin/sh\necho "$@" >> npm-calls\n${does}\n` });
  chmodSync(join(house.root, 'fake', 'npm'), 0o755);
  written.push('npm-calls');
  return [join(house.root, 'fake'), process.env['PATH'] ?? ''].join(delimiter);
}

function npmCalls(): string {
  return readFileSync(join(house.root, 'npm-calls'), 'utf8');
}

function start(args: readonly string[], path = process.env['PATH'], nodeFlags: readonly string[] = []) {
  return spawn(process.execPath, [...nodeFlags, 'src/tools/launch.mjs', ...args], { cwd: house.root, env: { ...process.env, PATH: path } });
}

async function launch(args: readonly string[], path?: string): Promise<Ended> {
  const child = start(args, path);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, stdout, stderr };
}

function npm(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile('npm', args, { cwd: house.root }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
  });
}

beforeAll(() => {
  house = createTemporaryHouse(isLauncher);
});
afterEach(() => {
  house.remove(written);
  written = [];
});
afterAll(() => {
  house.dispose();
});

describe('a command', () => {
  const tell = "console.log('got', JSON.stringify(process.argv.slice(2)), process.version);\nprocess.exitCode = 7;\n";

  test.each([
    ['venue', 'src/venue/main.ts'],
    ['doctor', 'src/gateway/doctor.ts'],
    ['conformance', 'src/testing/conformance/main.ts'],
    ['bench:decode', 'src/tools/bench.ts'],
  ])('npm run %s hands what follows "--" to its program, and gives back its exit code', async (script, program) => {
    write({ [program]: tell });
    const { code, stdout } = await npm('run', script, '--', '--seed', '7', 'two words');
    expect(stdout).toMatch(/got \[.*"--seed","7","two words"\] v24\./);
    expect(code).toBe(7);
  });

  test('that is not known is refused with the ones that are', async () => {
    const { code, stderr } = await launch(['sevre']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^perpdesk: no command "sevre"; there is serve, .*\n$/);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('that is running gets %s, and may end in its own way', async (signal) => {
    write({
      'src/venue/main.ts': `process.on('${signal}', () => { console.log('closing'); process.exit(5); });\nsetInterval(() => {}, 1000);\nconsole.log('up');\n`,
    });
    const child = start(['venue']);
    const printed = text(child.stdout);
    await once(child.stdout, 'data');
    child.kill(signal);
    const [code] = (await once(child, 'exit')) as [number | null];
    expect([await printed, code]).toEqual(['up\nclosing\n', 5]);
  });

  test('that a signal ended gives back 128 and its number, as a shell would', async () => {
    write({ 'src/venue/main.ts': "process.kill(process.pid, 'SIGKILL');\n" });
    expect((await launch(['venue'])).code).toBe(137);
  });
});

describe('installing', () => {
  const program = { 'src/venue/main.ts': "console.log('ran');\n" };

  function changeLockFile(): void {
    const lockFile = join(house.root, 'package-lock.json');
    house.write({ 'package-lock.json': `${readFileSync(lockFile, 'utf8')}\n` });
  }

  afterEach(() => {
    stampInstall(house.root);
  });

  test('follows the lock file exactly, and is not done again', async () => {
    write(program);
    changeLockFile();
    const path = npmThat('exit 0');
    const [first, second] = [await launch(['venue'], path), await launch(['venue'], path)];
    expect([first.stdout.includes('installed in'), second.stdout]).toEqual([true, 'ran\n']);
    expect(npmCalls()).toMatch(/^ci [^\n]*\n$/);
  });

  test('is done once when two commands start together', async () => {
    write(program);
    changeLockFile();
    const path = npmThat('sleep 0.5');
    const both = await Promise.all([launch(['venue'], path), launch(['venue'], path)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(npmCalls()).toMatch(/^ci [^\n]*\n$/);
  });

  test('goes ahead where the process that was at it is gone', async () => {
    write({ ...program, '.perpdesk/install.lock': '999999999' });
    changeLockFile();
    expect((await launch(['venue'], npmThat('exit 0'))).code).toBe(0);
  });

  test('goes ahead where another process has the number of the one that was at it, and says what it waits for', async () => {
    write({ ...program, '.perpdesk/install.lock': String(process.pid) });
    changeLockFile();
    const { code, stderr } = await launch(['venue'], npmThat('exit 0'));
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^perpdesk: waiting for another command to finish the same work \(.*install\.lock\)\n$/)]);
  });

  test('that fails is told in a sentence, and is tried again the next time', async () => {
    write(program);
    changeLockFile();
    const path = npmThat('echo "npm error network" >&2; exit 1');
    const [first, second] = [await launch(['venue'], path), await launch(['venue'], path)];
    expect(first).toMatchObject({ code: 1, stderr: expect.stringMatching(/npm error network\nperpdesk: .+\.\n$/) as string });
    expect(second.code).toBe(1);
    expect(npmCalls().split('\n')).toHaveLength(3);
  });

  test('that fails counts as a failure of the tests', async () => {
    changeLockFile();
    const { code, stdout } = await launch(['test'], npmThat('exit 1'));
    expect([code, stdout.split('\n').at(-2)]).toEqual([1, '0 passed, 1 failed']);
  });
});

describe('the pinned Node', () => {
  afterEach(() => {
    const real = join(house.root, 'node_modules', '.bin', 'node');
    writeFileSync(real, `#!/bin/sh\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 });
  });

  test.each([
    ['is too old', '#!/bin/sh\necho v22.1.0\n', /^perpdesk: .*22\.1\.0.*\.\n$/],
    ['does not start', '#!/bin/sh\nexit 1\n', /^perpdesk: .*does not start.*\.\n$/],
  ])('that %s is told in a sentence', async (_, script, sentence) => {
    house.write({ 'node_modules/.bin/node': script });
    chmodSync(join(house.root, 'node_modules', '.bin', 'node'), 0o755);
    const { code, stderr } = await launch(['venue']);
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
  });
});

describe('building', () => {
  const page = '<!doctype html><title>one</title><script type="module" src="/src/app/main.tsx"></script>\n';
  /** Ends the process when it has begun to remove what was built, be it under that name or another. */
  const endedInRemoval = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const remove = fs.rmSync;
    fs.rmSync = (path, options) => {
      if (/dist[^/]*$/.test(path) && fs.existsSync(path)) {
        remove(path + '/index.html');
        process.kill(process.pid, 'SIGKILL');
      }
      remove(path, options);
    };
    syncBuiltinESMExports();
  `;
  const built = (): string => readFileSync(join(house.root, 'dist', 'index.html'), 'utf8');

  test('is done before the program that serves it, and not again', async () => {
    write({ 'index.html': page, 'src/app/main.tsx': "document.title = 'one';\n", 'src/serve.ts': "console.log('ran');\n" });
    const [first, second] = [await launch(['serve']), await launch(['serve'])];
    expect(first.stdout).toMatch(/built in [\d.]+ s\nran\n$/);
    expect(second.stdout).toBe('ran\n');
    expect(built()).toContain('<title>one</title>');
    // Nor does it wait for somebody who builds, or need a place for the lock.
    write({ '.perpdesk/build.lock': String(process.pid) });
    const locked = await launch(['serve']);
    expect([locked.stdout, locked.stderr]).toEqual(['ran\n', '']);
  });

  test('is done again when a source has changed, but not for one of the server', async () => {
    write({ 'index.html': page, 'src/app/main.tsx': "document.title = 'one';\n" });
    await launch(['build']);
    write({ 'src/gateway/new.ts': 'export {};\n' });
    const server = await launch(['build']);
    write({ 'index.html': page.replace('one', 'two') });
    const app = await launch(['build']);
    expect([server.stdout, app.stdout.includes('built in')]).toEqual(['', true]);
    expect(built()).toContain('<title>two</title>');
  });

  test('that fails leaves the last good one, and nothing is served from it', async () => {
    write({ 'index.html': page, 'src/app/main.tsx': "document.title = 'one';\n", 'src/serve.ts': "console.log('ran');\n" });
    await launch(['build']);
    write({ 'src/app/main.tsx': 'this is no program\n' });
    const { code, stdout, stderr } = await launch(['serve']);
    expect(code).toBe(1);
    expect(stdout).not.toContain('ran');
    expect(stderr).toMatch(/perpdesk: building the app failed.*\.\n$/);
    expect(built()).toContain('<title>one</title>');
  });

  test('that is ended while it removes the one before leaves a whole one', async () => {
    write({ 'index.html': page, 'src/app/main.tsx': "document.title = 'one';\n" });
    await launch(['build']);
    write({ 'index.html': page.replace('one', 'two'), 'ended.mjs': endedInRemoval });
    const child = start(['build'], process.env['PATH'], ['--import', './ended.mjs']);
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    expect(built()).toContain('<title>two</title>');
  });

  test('that fails after one that was ended between the two puts the last good one back', async () => {
    write({ 'index.html': page, 'src/app/main.tsx': 'this is no program\n', 'dist.last/index.html': 'the last good one' });
    house.remove(['dist']);
    expect((await launch(['build'])).code).toBe(1);
    expect(built()).toBe('the last good one');
  });
});
