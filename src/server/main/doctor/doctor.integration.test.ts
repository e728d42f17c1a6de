import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CREDENTIAL, startVenue } from '#venue/conformance/run-conformance.ts';
import { makeSelfSigned } from '#testing/faults/self-signed.ts';
import { findFreePort } from '#testing/free-port.ts';
import { openMailServer } from '#testing/notifications/mail-server.ts';
import { openReceiver, SECRET } from '#testing/notifications/receiver.ts';
import { CLIENT_ID, startScriptedProvider } from '#testing/oidc/scripted-provider.ts';
import { startPostgres } from '#testing/postgres-server.ts';
import { runProgram } from '#testing/run-program.ts';

const certificate = makeSelfSigned(Date.now(), 'localhost', 90);

function newFolder(groups = { desk: { roles: ['operations', 'admin'], all: true } }): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-doctor-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(join(folder, 'ca.pem'), certificate.cert);
  writeFileSync(join(folder, 'key.pem'), certificate.key, { mode: 0o600 });
  writeFileSync(join(folder, 'groups.json'), JSON.stringify(groups));
  return folder;
}

/** Runs the doctor; its checks by subject. */
async function examine(folder: string, environment: Readonly<Record<string, string>>) {
  const { code, stdout, stderr } = await runProgram('src/server/main/doctor.ts', [], {
    DESK_DATA_DIR: join(folder, 'data'),
    ...environment,
  });
  const checks = [...stdout.matchAll(/^(.+?) {2,}(ok|WARNING|FAILED) +(.+)$/gm)].map(
    ([, subject = '', outcome, remark]) => [subject, `${outcome ?? ''}: ${remark ?? ''}`] as const,
  );
  return { code, stderr, checks: new Map(checks), last: stdout.trimEnd().split('\n').at(-1) };
}

test('a healthy default is all green', { timeout: 60_000 }, async () => {
  expect(await examine(newFolder(), {})).toMatchObject({ code: 0, stderr: '', last: 'All checks passed.' });
});

test(
  'everything that is configured is checked, over TLS of one’s own authority, and nothing is sent',
  { timeout: 240_000 },
  async () => {
    const [venue, provider, database] = await Promise.all([
      startVenue(['--live', 'off', '--orders', '100', '--working', '10']),
      startScriptedProvider(),
      startPostgres(),
    ]);
    const receiver = await openReceiver({ certificate });
    const mail = await openMailServer({ certificate });
    onTestFinished(async () => {
      await venue.stop();
      await provider.close();
      await receiver.close();
      await mail.close();
      await database.stop();
    });
    const folder = newFolder();
    const settings = {
      DESK_ACCESS: 'oidc',
      DESK_OIDC_ISSUER: provider.issuer,
      DESK_OIDC_CLIENT_ID: CLIENT_ID,
      DESK_GROUPS: join(folder, 'groups.json'),
      DESK_PUBLIC_URL: 'https://localhost',
      DESK_TLS_CERT: join(folder, 'ca.pem'),
      DESK_TLS_KEY: join(folder, 'key.pem'),
      DESK_CA_FILE: join(folder, 'ca.pem'),
      DESK_VENUE_URL: venue.address,
      DESK_CONNECTION_ID: CREDENTIAL.connectionId,
      DESK_AUTH_TOKEN: CREDENTIAL.token,
      DESK_DATABASE_URL: await database.createDatabase(),
      DESK_WEBHOOKS: JSON.stringify({ desk: { kind: 'standard', url: receiver.url, secret: SECRET } }),
      DESK_SMTP_URL: `smtp://127.0.0.1:${String(mail.port)}`,
      DESK_MAIL_FROM: 'desk@firm.example',
      DESK_MAIL_TO: 'night=duty@firm.example',
    };
    const { code, stderr, checks, last } = await examine(folder, settings);
    expect([...checks].filter(([, text]) => !text.startsWith('ok'))).toEqual([]);
    expect([code, stderr, last]).toEqual([0, '', 'All checks passed.']);
    expect(Object.fromEntries(checks)).toMatchObject({
      'PostgreSQL': expect.stringMatching(/^ok: It has version \d+.*may create and write tables/) as string,
      'TLS certificate': expect.stringMatching(/^ok: It is valid until \d{4}-/) as string,
      'groups': 'ok: DESK_GROUPS has one group.',
      'OpenID provider': expect.stringContaining('Discovery at') as string,
      'provider’s keys': expect.stringContaining('lists one key that can verify signatures.') as string,
      'webhook desk': expect.stringMatching(/accepts connections; its certificate is valid until/) as string,
      'mail server': expect.stringContaining('accepts connections') as string,
      'clock': expect.stringMatching(/of that of|behind that of|ahead of that of/) as string,
      'exchange /v1/prod/orders/working': expect.stringContaining('matches the API') as string,
    });
    expect([receiver.notifications, mail.mails]).toEqual([[], []]);
    expect([receiver.connections(), mail.connections()]).toEqual([1, 1]);
  },
);

test('whatever fails is named with what to do', { timeout: 120_000 }, async () => {
  const receiver = await openReceiver({ certificate });
  onTestFinished(receiver.close);
  const port = String(await findFreePort());
  const folder = newFolder({ desk: { roles: ['operations'], all: true } });
  const { code, checks, last } = await examine(folder, {
    DESK_ACCESS: 'oidc',
    DESK_OIDC_ISSUER: `https://127.0.0.1:${String(receiver.port)}`,
    DESK_OIDC_CLIENT_ID: CLIENT_ID,
    DESK_GROUPS: join(folder, 'groups.json'),
    DESK_PUBLIC_URL: 'https://desk.example',
    DESK_TLS_CERT: join(folder, 'ca.pem'),
    DESK_TLS_KEY: join(folder, 'key.pem'),
    DESK_VENUE_URL: `http://127.0.0.1:${port}`,
    DESK_DATABASE_URL: `postgres://desk@127.0.0.1:${port}/desk`,
    DESK_WEBHOOKS: JSON.stringify({ desk: { kind: 'standard', url: receiver.url, secret: SECRET } }),
    DESK_SMTP_URL: `smtp://127.0.0.1:${port}`,
    DESK_MAIL_FROM: 'desk@firm.example',
    DESK_MAIL_TO: 'night=duty@firm.example',
    DESK_AUDIT_LOG: '/no/such/folder/audit.jsonl',
    DESK_PROT: '1',
  });
  expect(code).toBe(1);
  const untrusted = /FAILED: .*is not trusted.*set DESK_CA_FILE/;
  const expected = {
    'settings': /^WARNING: DESK_PROT: no such setting/,
    'PostgreSQL': /^FAILED: The store postgres:.*cannot be reached\. Check/,
    'TLS certificate': /^FAILED: It is not for desk\.example/,
    'groups': /^WARNING: .*none with the role admin/,
    'OpenID provider': untrusted,
    'webhook desk': untrusted,
    'mail server': /^FAILED: .*Nothing is listening at its address/,
    'exchange': /^FAILED: .*Nothing is listening at its address/,
    'audit log': /^FAILED: .*use another file/,
  };
  for (const [subject, pattern] of Object.entries(expected)) expect(checks.get(subject)).toMatch(pattern);
  expect(last).toMatch(/^7 of \d+ checks failed, 2 warnings\.$/);
  expect(await examine(folder, { DESK_PORT: 'x' })).toMatchObject({ code: 1, last: '1 of 1 checks failed.' });
});
