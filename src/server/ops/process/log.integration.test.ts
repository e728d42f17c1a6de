import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { sendRequest } from '#testing/http-client.ts';
import { createHttpPerson } from '#testing/access/http-person.ts';
import { buildApp } from '#testing/build-app.ts';
import { runProgram } from '#testing/run-program.ts';
import { startServer } from '#testing/start-desk.ts';
import { clearedSettings } from '#testing/cleared-settings.ts';

const NOBODY = 'http://127.0.0.1:1';

beforeAll(buildApp);

test('a server whose log cannot be written keeps responding', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-full-log-'));
  const full = openSync('/dev/full', 'w');
  const settings = {
    DESK_VENUE: 'bitnomial',
    DESK_VENUE_URL: NOBODY,
    DESK_PORT: '0',
    DESK_LOG_LEVEL: 'debug',
    DESK_DATA_DIR: dataDir,
  };
  const desk = spawn(process.execPath, [join(import.meta.dirname, '..', '..', 'main', 'main.ts')], {
    env: { ...process.env, ...clearedSettings(), ...settings },
    stdio: ['ignore', 'pipe', full],
  });
  const exit = once(desk, 'exit');
  onTestFinished(async () => {
    desk.kill('SIGKILL');
    await exit;
    closeSync(full);
    rmSync(dataDir, { recursive: true });
  });
  const [line] = (await once(createInterface(desk.stdout ?? expect.fail('It says nothing.')), 'line')) as [string];
  const address = /ready at (\S+)/.exec(line)?.[1] ?? expect.fail(line);
  // Each request writes a line to the log.
  for (let count = 0; count < 5; count++) expect((await sendRequest(address, { path: '/healthz' })).status).toBe(200);
});

test('the log says when Perpdesk starts and stops, and who tries to get in; the audit log has a copy, entry by entry', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-log-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const [dataDir, copy] = [join(folder, 'data'), join(folder, 'copy.jsonl')];
  const token = 'metrics-'.repeat(5);
  const desk = await startServer(NOBODY, dataDir, {
    DESK_ACCESS: 'users',
    DESK_LOG_LEVEL: 'info',
    DESK_AUDIT_LOG: copy,
    DESK_METRICS_TOKEN: token,
  });
  const stranger = createHttpPerson(desk.address);
  for (let attempt = 0; attempt < 7; attempt += 1)
    await stranger.act('signIn', { name: 'admin', password: `guess ${String(attempt)}` });
  const { body } = await stranger.get('/metrics', { headers: { authorization: `Bearer ${token}` } });
  expect(String(body['text']).match(/^perpdesk_sign_ins_total.*$/gm)).toEqual([
    'perpdesk_sign_ins_total{outcome="succeeded"} 0',
    'perpdesk_sign_ins_total{outcome="refused"} 5',
    'perpdesk_sign_ins_total{outcome="locked_out"} 2',
  ]);
  expect(Number(/^perpdesk_audit_bytes (\d+)$/m.exec(String(body['text']))?.[1])).toBeGreaterThan(500);
  expect(await desk.stop()).toBe(0);

  const lines = desk
    .printed()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Readonly<Record<string, unknown>>] : []));
  const of = (event: string) => lines.filter((line) => line['event'] === event);
  expect(of('started')).toMatchObject([
    { level: 'info', version: expect.stringMatching(/^\d/) as string, access: 'users' },
  ]);
  expect(of('sign-in refused').map(({ level, name, reason }) => [level, name, reason])).toEqual([
    ...Array<unknown>(5).fill(['warn', 'admin', 'The password was wrong.']),
    ...Array<unknown>(2).fill(['warn', 'admin', 'Too many failed attempts before this one.']),
  ]);
  expect(lines.at(-1)).toMatchObject({ level: 'info', event: 'stopped' });

  const exported = join(dataDir, 'export.jsonl');
  await runProgram('src/server/main/audit.ts', ['export', exported], { DESK_DATA_DIR: dataDir });
  const entries = readFileSync(exported, 'utf8').split('\n').slice(1).join('\n');
  expect(readFileSync(copy, 'utf8')).toBe(entries);
  expect(entries.split('\n').length).toBeGreaterThan(3);

  const later = join(dataDir, 'later.jsonl');
  const after = ['export', later, '--after', '2'];
  expect((await runProgram('src/server/main/audit.ts', after, { DESK_DATA_DIR: dataDir })).stdout).toMatch(
    /^Wrote \d+ entries, 3 to \d+, to /,
  );
  expect(readFileSync(later, 'utf8').split('\n').slice(1)).toEqual(entries.split('\n').slice(2));
  expect((await runProgram('src/server/main/audit.ts', ['check', later])).stdout).toMatch(/^The audit log is intact: /);
});
