import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { openAuditLines } from './audit-lines.ts';
import { type AuditEvent, chain, GENESIS } from './audit-store.ts';

const EVENT: AuditEvent = { kind: 'exported', who: 'a', name: 'Änn', address: '192.0.2.1', detail: 'Saved.' };
const written = chain(
  GENESIS,
  Array.from({ length: 6 }, (_, at) => ({ at: 1_787_010_321_000 + at, event: EVENT })),
);

function open(target: Parameters<typeof openAuditLines>[0]) {
  const logged: unknown[] = [];
  const lines = openAuditLines(target, {
    log: (level, event, fields) => void logged.push([level, event, fields]),
    schedule: createFakeClock().schedule,
  });
  onTestFinished(lines.close);
  return { lines, logged };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-audit-lines-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test('a file receives each entry with its hash, in order, also after it was rotated; only its owner can read it', async () => {
  const path = join(newFolder(), 'audit.jsonl');
  const { lines, logged } = open({ kind: 'file', path });
  lines.write(written.slice(0, 2));
  lines.write(written.slice(2, 3));
  await lines.flush();
  expect(readFileSync(path, 'utf8')).toBe(
    written
      .slice(0, 3)
      .map(({ body, hash }) => `${body.slice(0, -1)},"hash":"${hash}"}\n`)
      .join(''),
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
  renameSync(path, `${path}.1`);
  lines.write(written.slice(3));
  await lines.flush();
  expect(
    readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.slice(0, 11)),
  ).toEqual(['{"number":4', '{"number":5', '{"number":6', '']);
  expect(logged).toEqual([]);
});

test('entries that cannot be written are named once they can be again, with the command that writes them', async () => {
  const folder = join(newFolder(), 'logs');
  const path = join(folder, 'audit.jsonl');
  const { lines, logged } = open({ kind: 'file', path });
  for (const entry of written.slice(0, 3)) lines.write([entry]);
  await lines.flush();
  mkdirSync(folder);
  chmodSync(folder, 0o700);
  lines.write(written.slice(3, 4));
  await lines.flush();
  expect(logged).toEqual([
    ['error', 'audit lines not written', { reason: expect.stringContaining('ENOENT') as string }],
    [
      'error',
      'audit lines missing',
      {
        from: 1,
        to: 3,
        reason: 'Entries 1 to 3 were not written. To get them, run: perpdesk audit export FILE --after 0',
      },
    ],
  ]);
  expect(readFileSync(path, 'utf8')).toMatch(/^\{"number":4,/);
});

test('what is not a regular file by now is not written to, nor waited for', async () => {
  const folder = newFolder();
  const [pipe, link] = [join(folder, 'pipe'), join(folder, 'link')];
  execFileSync('mkfifo', [pipe]);
  symlinkSync(join(folder, 'key'), link);
  for (const path of [pipe, link]) {
    const { lines, logged } = open({ kind: 'file', path });
    lines.write(written);
    await lines.flush();
    expect(logged).toMatchObject([['error', 'audit lines not written', {}]]);
  }
});

test('a syslog server receives a message in the form of RFC 5424 for each entry', async () => {
  const server = createSocket('udp4');
  const received: string[] = [];
  server.on('message', (message) => received.push(message.toString()));
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { lines, logged } = open({ kind: 'syslog', host: '127.0.0.1', port: server.address().port });
  lines.write(written.slice(0, 2));
  await lines.flush();
  await expect.poll(() => received).toHaveLength(2);
  const head = `<109>1 2026-08-17T23:45:21.000Z ${hostname()} perpdesk ${String(process.pid)} audit - `;
  expect(received[0]).toBe(`${head}${(written[0]?.body ?? '').slice(0, -1)},"hash":"${written[0]?.hash ?? ''}"}`);
  expect(logged).toEqual([]);
});
