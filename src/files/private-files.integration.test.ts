import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { buildApp } from '#testing/build-app.ts';
import { clearedSettings } from '#testing/cleared-settings.ts';

const root = join(import.meta.dirname, '..', '..');
let folder: string;
let dataDir: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perpdesk-files-'));
  dataDir = join(folder, 'data');
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
});

/** With the umask of a login shell, which lets others read written files. */
function run(program: string, args: readonly string[] = [], settings: Readonly<Record<string, string>> = {}) {
  const child = spawn('sh', ['-c', 'umask 022; exec "$@"', 'sh', process.execPath, join(root, program), ...args], {
    cwd: folder,
    env: { ...process.env, ...clearedSettings(), DESK_PORT: '0', DESK_DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const errors = text(child.stderr);
  return {
    errors,
    ended: async () => (await exit)[0] as number | null,
    address: async () => {
      for await (const line of createInterface(child.stdout)) {
        const address = /ready at (\S+)/.exec(line)?.[1];
        if (address !== undefined) return address;
      }
      throw new Error(await errors);
    },
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Returns everything that users other than the owner may access. */
function openToOthers(path: string): readonly string[] {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return ['.', ...names].filter((name) => (lstatSync(join(path, name)).mode & 0o077) !== 0).sort();
}

it('whatever umask it starts with, Perpdesk writes only what its owner may access, exports included', async () => {
  await buildApp();
  mkdirSync(dataDir);
  const desk = run('src/serve.ts');
  const address = await desk.address();
  expect(readdirSync(dataDir)).toEqual(
    expect.arrayContaining(['gateway.sqlite', 'gateway.sqlite-wal', 'venue.sqlite', 'venue.sqlite-wal', 'link-key']),
  );
  expect(openToOthers(dataDir)).toEqual([]);
  const out = join(folder, 'out');
  mkdirSync(out, { mode: 0o700 });
  // The first reading of the journal comes shortly after the start.
  await expect
    .poll(
      async () =>
        run('src/server/main/export-journal.ts', [
          join(out, `journal-${String(readdirSync(out).length)}.parquet`),
          '--desk',
          address,
        ]).ended(),
      { timeout: 60_000, interval: 500 },
    )
    .toBe(0);
  expect(await run('src/server/main/audit.ts', ['export', join(out, 'audit.jsonl')]).ended()).toBe(0);
  expect(await run('src/server/main/backup.ts', [join(out, 'backup.zip')]).ended()).toBe(0);
  expect(readdirSync(out)).toHaveLength(3);
  expect(openToOthers(out)).toEqual([]);
  await desk.stop();
  const restored = join(folder, 'restored');
  mkdirSync(restored);
  expect(await run('src/server/main/restore.ts', [join(out, 'backup.zip')], { DESK_DATA_DIR: restored }).ended()).toBe(
    0,
  );
  expect(openToOthers(restored)).toEqual([]);
});

it.each(['755', '777'])(
  'a data folder of an earlier version with the mode %s becomes private with all that is in it, and the log says so once',
  async (mode) => {
    await buildApp();
    mkdirSync(dataDir);
    const first = run('src/serve.ts');
    await first.address();
    await first.kill();
    for (const name of readdirSync(dataDir))
      if (lstatSync(join(dataDir, name)).isFile()) chmodSync(join(dataDir, name), 0o644);
    chmodSync(dataDir, Number.parseInt(mode, 8));
    const second = run('src/serve.ts');
    await second.address();
    expect(openToOthers(dataDir)).toEqual([]);
    await second.stop();
    const lines = (await second.errors).split('\n').filter((line) => line.includes('data folder made private'));
    expect(lines.map((line) => (JSON.parse(line) as { readonly reason: string }).reason)).toEqual([
      `Other users had access to ${dataDir} (mode ${mode}). It and the files in it now belong to this user alone.`,
    ]);
  },
);

it('the exchange alone writes only what its owner may access, in a folder that others could enter', async () => {
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'venue.sqlite'), '', { mode: 0o644 });
  chmodSync(dataDir, 0o777);
  const other = join(folder, 'other');
  mkdirSync(other, { mode: 0o700 });
  writeFileSync(join(other, 'venue.sqlite'), '', { mode: 0o644 });
  for (const [args, place] of [
    [[], dataDir],
    [['--store', join(other, 'venue.sqlite')], other],
  ] as const) {
    const venue = run('src/venue/main.ts', ['--port', '0', ...args]);
    await venue.address();
    expect(openToOthers(place)).toEqual([]);
    await venue.stop();
  }
});
