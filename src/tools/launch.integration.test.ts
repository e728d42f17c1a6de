import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { markInstalled } from './prepare.mjs';
import { createTemporaryCheckout, type TemporaryCheckout } from './temporary-checkout.ts';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let checkout: TemporaryCheckout;
let written: string[] = [];

function isLauncher(path: string): boolean {
  return /^(|package(-lock)?\.json|\.npmrc|tsconfig\.json|vite\.config\.ts|src|src\/(cli|tools)|src\/(cli|tools)\/[^/]+\.mjs)$/.test(
    path,
  );
}

function write(files: Readonly<Record<string, string>>): void {
  checkout.write(files);
  written.push(...Object.keys(files));
}

/**
 * Creates a PATH with a stand-in for npm, which logs a line per call and then runs a script in the folder where it
 * should install.
 */
function npmThat(does: string): string {
  write({ 'fake/npm': `#!/bin/sh\necho "$@" >> "${checkout.root}/npm-calls"\n${does}\n` });
  chmodSync(join(checkout.root, 'fake', 'npm'), 0o755);
  written.push('npm-calls');
  return [join(checkout.root, 'fake'), process.env['PATH'] ?? ''].join(delimiter);
}

/** Returns the script of a successful installation, after which the packages are there. */
function installs(): string {
  return `cp -al "${checkout.root}/node_modules" node_modules`;
}

function npmCalls(): string {
  return readFileSync(join(checkout.root, 'npm-calls'), 'utf8');
}

function start(args: readonly string[], path = process.env['PATH'], nodeFlags: readonly string[] = []) {
  return spawn(process.execPath, [...nodeFlags, 'src/tools/launch.mjs', ...args], {
    cwd: checkout.root,
    env: { ...process.env, PATH: path },
  });
}

async function launch(args: readonly string[], path?: string): Promise<Ended> {
  const child = start(args, path);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, stdout, stderr };
}

function npm(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile('npm', args, { cwd: checkout.root }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
  });
}

beforeAll(() => {
  checkout = createTemporaryCheckout(isLauncher);
});
afterEach(() => {
  checkout.remove(written);
  written = [];
});
afterAll(() => {
  checkout.dispose();
});

describe('a command', () => {
  const echo = "console.log('got', JSON.stringify(process.argv.slice(2)), process.version);\nprocess.exitCode = 7;\n";

  test.each([
    ['venue', 'src/venue/main.ts'],
    ['doctor', 'src/server/main/doctor.ts'],
    ['evidence', 'src/evidence/main.ts'],
    ['conformance', 'src/venue/conformance/main.ts'],
    ['bench:decode', 'src/tools/bench.ts'],
  ])('npm run %s passes what follows "--" to its program and returns its exit code', async (script, program) => {
    write({ [program]: echo });
    const { code, stdout } = await npm('run', script, '--', '--seed', '7', 'two words');
    expect(stdout).toMatch(/got \[.*"--seed","7","two words"\] v24\./);
    expect(code).toBe(7);
  });

  test('that is unknown is refused with a list of the known ones', async () => {
    const { code, stderr } = await launch(['sevre']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^perpdesk: unknown command "sevre"; known commands: serve, .*\n$/);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('that is running receives %s and ends in its own way', async (signal) => {
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

  test('that runs has a limit on the memory that the C library keeps for its threads', async () => {
    write({ 'src/venue/main.ts': "console.log('arenas:', process.env.MALLOC_ARENA_MAX);\n" });
    expect((await launch(['venue'])).stdout).toContain('arenas: 2\n');
  });

  test('that runs is the process that was started, which no one can kill without it', async () => {
    write({ 'src/venue/main.ts': "console.log(process.pid);\nprocess.kill(process.pid, 'SIGKILL');\n" });
    const child = start(['venue']);
    const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect([printed, child.signalCode]).toEqual([`${String(child.pid)}\n`, 'SIGKILL']);
  });
});

describe('installing', () => {
  const program = { 'src/venue/main.ts': "console.log('ran');\n" };

  function changeLockFile(): void {
    const lockFile = join(checkout.root, 'package-lock.json');
    checkout.write({ 'package-lock.json': `${readFileSync(lockFile, 'utf8')}\n` });
  }

  afterEach(() => {
    markInstalled(checkout.root);
  });

  test('follows the lock file exactly, runs no script of a package, and happens once', async () => {
    write(program);
    changeLockFile();
    const path = npmThat(installs());
    const [first, second] = [await launch(['venue'], path), await launch(['venue'], path)];
    expect([first.stdout.includes('installed in'), second.stdout]).toEqual([true, 'ran\n']);
    expect(npmCalls()).toMatch(/^ci [^\n]*--ignore-scripts[^\n]*\n$/);
  });

  test('happens once when two commands start together', async () => {
    write(program);
    changeLockFile();
    const path = npmThat(`sleep 0.5; ${installs()}`);
    const both = await Promise.all([launch(['venue'], path), launch(['venue'], path)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(npmCalls()).toMatch(/^ci [^\n]*\n$/);
  });

  test('that fails says so, leaves the packages that worked, and is tried again the next time', async () => {
    write(program);
    changeLockFile();
    const path = npmThat('mkdir node_modules; echo "npm error network" >&2; exit 1');
    const first = await launch(['venue'], path);
    expect([first.code, first.stderr]).toEqual([1, expect.stringMatching(/npm error network\nperpdesk: .+\.\n$/)]);
    expect(existsSync(join(checkout.root, 'node_modules', 'vite', 'package.json'))).toBe(true);
    expect(readdirSync(checkout.root).filter((name) => name.startsWith('node_modules'))).toEqual(['node_modules']);
    expect((await launch(['venue'], path)).code).toBe(1);
    expect(npmCalls().split('\n')).toHaveLength(3);
  });

  test('that fails counts as a failed test run', async () => {
    changeLockFile();
    const { code, stdout } = await launch(['test'], npmThat('exit 1'));
    expect([code, stdout.split('\n').at(-2)]).toEqual([1, '0 passed, 1 failed']);
  });
});

describe('a key in the environment', () => {
  const secrets = ['CONFORMANCE_AUTH_TOKEN', 'DESK_AUTH_TOKEN', 'DESK_DATABASE_URL', 'VENUE_CREDENTIAL'];
  const listSecrets = `${JSON.stringify(secrets)}.filter((name) => process.env[name] !== undefined).join()`;

  beforeEach(() => {
    for (const name of secrets) vi.stubEnv(name, 'key');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    markInstalled(checkout.root);
  });

  test.each([
    ['gateway', 'src/server/main/main.ts', 'DESK_AUTH_TOKEN,DESK_DATABASE_URL'],
    ['doctor', 'src/server/main/doctor.ts', 'DESK_AUTH_TOKEN,DESK_DATABASE_URL'],
    ['venue', 'src/venue/main.ts', 'VENUE_CREDENTIAL'],
    ['conformance', 'src/venue/conformance/main.ts', 'CONFORMANCE_AUTH_TOKEN'],
    ['generate', 'src/tools/generate.ts', ''],
  ])('reaches only the program that uses it: %s', async (command, file, received) => {
    write({
      [file]: `console.log('[' + ${listSecrets} + ']');\n`,
      'index.html': '<!doctype html><title>page</title>\n',
    });
    const { stdout } = await launch([command]);
    expect(stdout).toContain(`[${received}]\n`);
  });

  test('reaches neither npm nor the build', async () => {
    write({
      'index.html': '<!doctype html><title>page</title>\n',
      'vite.config.ts': `import { writeFileSync } from 'node:fs';\nwriteFileSync('build-secrets', ${listSecrets});\nexport default {};\n`,
    });
    written.push('npm-secrets', 'build-secrets');
    checkout.write({ 'package-lock.json': `${readFileSync(join(checkout.root, 'package-lock.json'), 'utf8')}\n` });
    await launch(
      ['build'],
      npmThat(`env | grep -cE '^(${secrets.join('|')})=' > "${checkout.root}/npm-secrets"; ${installs()}`),
    );
    expect(readFileSync(join(checkout.root, 'npm-secrets'), 'utf8')).toBe('0\n');
    expect(readFileSync(join(checkout.root, 'build-secrets'), 'utf8')).toBe('');
  });
});

describe('npm start', () => {
  test('ends the server when npm itself receives SIGTERM', async () => {
    write({
      'index.html': '<!doctype html><title>page</title>\n',
      'src/serve.ts':
        "process.on('SIGTERM', () => { console.log('closing'); process.exit(0); });\nconsole.log('pid', process.pid);\nsetInterval(() => {}, 1000);\n",
    });
    const child = spawn('npm', ['start'], { cwd: checkout.root });
    let printed = '';
    const isUp = Promise.withResolvers<undefined>();
    child.stdout.on('data', (data: Buffer) => {
      printed += data.toString();
      if (printed.includes('pid ')) isUp.resolve(undefined);
    });
    await isUp.promise;
    child.kill('SIGTERM');
    await once(child.stdout, 'close');
    expect(printed).toContain('closing');
  });
});

describe('the pinned Node', () => {
  afterEach(() => {
    const real = join(checkout.root, 'node_modules', '.bin', 'node');
    writeFileSync(real, `#!/bin/sh\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 });
  });

  test.each([
    ['is too old', '#!/bin/sh\necho v22.1.0\n', /^perpdesk: .*22\.1\.0.*\.\n$/],
    ['does not start', '#!/bin/sh\nexit 1\n', /^perpdesk: .*does not start.*\.\n$/],
  ])('that %s is reported in a sentence', async (_, script, sentence) => {
    checkout.write({ 'node_modules/.bin/node': script });
    chmodSync(join(checkout.root, 'node_modules', '.bin', 'node'), 0o755);
    const { code, stderr } = await launch(['venue']);
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
  });
});

describe('building', () => {
  const page = '<!doctype html><title>one</title><script type="module" src="/src/page/shell/main.tsx"></script>\n';
  /** Kills the process once it has begun to remove the previous build, under its own name or another. */
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
  const built = (): string => readFileSync(join(checkout.root, 'dist', 'index.html'), 'utf8');

  test('happens before the program that serves it, and only once', async () => {
    write({
      'index.html': page,
      'src/page/shell/main.tsx': "document.title = 'one';\n",
      'src/serve.ts': "console.log('ran');\n",
    });
    const [first, second] = [await launch(['serve']), await launch(['serve'])];
    expect(first.stdout).toMatch(/built in [\d.]+ s\nran\n$/);
    expect(second.stdout).toBe('ran\n');
    expect(built()).toContain('<title>one</title>');
    // What is up to date needs neither a lock nor a folder for one.
    write({ '.perpdesk': '' });
    const third = await launch(['serve']);
    expect([third.stdout, third.stderr]).toEqual(['ran\n', '']);
  });

  test('happens again when a source of the page has changed, but not for one of the server', async () => {
    write({ 'index.html': page, 'src/page/shell/main.tsx': "document.title = 'one';\n" });
    await launch(['build']);
    write({ 'src/server/new.ts': 'export {};\n' });
    const server = await launch(['build']);
    write({ 'index.html': page.replace('one', 'two') });
    const app = await launch(['build']);
    expect([server.stdout, app.stdout.includes('built in')]).toEqual(['', true]);
    expect(built()).toContain('<title>two</title>');
  });

  test('that fails leaves the last good one and serves nothing', async () => {
    write({
      'index.html': page,
      'src/page/shell/main.tsx': "document.title = 'one';\n",
      'src/serve.ts': "console.log('ran');\n",
    });
    await launch(['build']);
    write({ 'src/page/shell/main.tsx': 'not a program\n' });
    const { code, stdout, stderr } = await launch(['serve']);
    expect(code).toBe(1);
    expect(stdout).not.toContain('ran');
    expect(stderr).toMatch(/perpdesk: building the app failed.*\.\n$/);
    expect(built()).toContain('<title>one</title>');
  });

  test('that is killed while it removes the former build leaves a whole one', async () => {
    write({ 'index.html': page, 'src/page/shell/main.tsx': "document.title = 'one';\n" });
    await launch(['build']);
    write({ 'index.html': page.replace('one', 'two'), 'ended.mjs': endedInRemoval });
    const child = start(['build'], process.env['PATH'], ['--import', './ended.mjs']);
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    expect(built()).toContain('<title>two</title>');
  });
});
