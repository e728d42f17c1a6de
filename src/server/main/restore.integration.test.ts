import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { runProgram } from '#testing/run-program.ts';
import { openAccessRegistry, type AccessState } from '#server/people/accounts/access-registry.ts';
import { NO_ACCOUNTS } from '#server/people/accounts/entitlement.ts';
import { createAuditStore } from '#server/people/audit/audit-store.ts';
import { rememberStore } from '#server/ops/process/data-folder.ts';
import { openLinkKey } from '#server/ops/process/link-key.ts';
import { openStore } from '#server/store/open-store.ts';
import type { Store } from '#server/store/store.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perpdesk-restore-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
});

async function withStore<Result>(dataDir: string, work: (store: Store) => Promise<Result>): Promise<Result> {
  const deps = { now: Date.now, elapsed: () => performance.now(), report: () => undefined };
  const store = await openStore({ dataDir, databaseUrl: null }, deps);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A store with what gives access: a session, an API token, an invitation, and the person they belong to. */
async function fill(store: Store): Promise<void> {
  const later = Date.now() + 86_400_000;
  const at = { createdAt: 1, lastUsedAt: Date.now() };
  const granted = { roles: ['markets'] as const, scope: NO_ACCOUNTS };
  const own = { person: 'p', hash: 'h', name: 'Ann' };
  const book = await openAccessRegistry(store);
  await book.change(() => [
    {
      put: {
        people: [{ id: 'p', name: 'Ann', ...granted, disabled: false, password: 'x', createdAt: 1, lastSignedInAt: 1 }],
        sessions: [{ id: 's', ...own, ...at, granted: null, way: 'password', endsAt: later, address: '', browser: '' }],
        tokens: [{ id: 't', ...own, ...at, ...granted, expiresAt: later }],
        invitations: [{ id: 'p', hash: 'h', expiresAt: later }],
      },
    },
    undefined,
  ]);
}

const countOf = ({ people, sessions, tokens, invitations }: AccessState) =>
  [people, sessions, tokens, invitations].map(({ size }) => size);

async function backUpAndRestore(...options: readonly string[]) {
  const [dataDir, restored, file] = [join(folder, 'data'), join(folder, 'restored'), join(folder, 'desk.zip')];
  await withStore(dataDir, fill);
  openLinkKey(dataDir);
  expect(await runProgram('src/server/main/backup.ts', [file], { DESK_DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  const printed = await runProgram('src/server/main/restore.ts', [file, ...options], { DESK_DATA_DIR: restored });
  return {
    ...printed,
    ...(await withStore(restored, async (store) => ({
      counts: countOf((await openAccessRegistry(store)).state()),
      entries: (await createAuditStore(store).after(0, 10)).map(({ body }) => JSON.parse(body) as unknown),
    }))),
  };
}

it('a restored backup gives no access by sessions and invitations that may have ended since, and names what stays', async () => {
  const { code, stdout, counts, entries } = await backUpAndRestore();
  const sentence = 'Ended 1 sign-in session and withdrew 1 invitation of the backup.';
  expect([code, counts]).toEqual([0, [1, 0, 1, 0]]);
  expect(stdout).toContain(`\n${sentence}\n`);
  expect(stdout).toMatch(/\n1 API token of the backup is valid again, [^\n]*perpdesk user revoke[^\n]*\n$/);
  expect(entries).toMatchObject([
    { kind: 'session ended', name: expect.stringMatching(/^perpdesk restore, run by \w/) as string, detail: sentence },
  ]);
});

it('a store in PostgreSQL is neither in a backup nor restored, and both say so', async () => {
  const [dataDir, restored, file] = [join(folder, 'data'), join(folder, 'restored'), join(folder, 'desk.zip')];
  mkdirSync(dataDir);
  openLinkKey(dataDir);
  rememberStore(dataDir, 'postgres://desk@db.example/desk');
  const backUp = (...options: readonly string[]) =>
    runProgram('src/server/main/backup.ts', [file, ...options], { DESK_DATA_DIR: dataDir });
  expect(await backUp()).toMatchObject({ code: 1, stderr: expect.stringContaining('--without-store') as string });
  expect(await backUp('--without-store')).toMatchObject({ code: 0 });
  const { code, stdout } = await runProgram('src/server/main/restore.ts', [file], { DESK_DATA_DIR: restored });
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /\nThe store is in PostgreSQL, at postgres:\/\/desk@db\.example\/desk: [^\n]*sign-in sessions/,
  );
});

it('--keep-sessions keeps them', async () => {
  const { code, stdout, counts, entries } = await backUpAndRestore('--keep-sessions');
  expect([code, counts, entries]).toEqual([0, [1, 1, 1, 1], []]);
  expect(stdout).toMatch(/^Restored [^\n]*\n$/);
});
