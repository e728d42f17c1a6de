import { expect, it } from 'vitest';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { type AuditEvent, createAuditStore } from './audit-store.ts';
import { type GivenSettings, recordChangedSettings } from './starts.ts';

it('a start records which settings changed since the last one, by name, and stores no value', async () => {
  const database = await openTestStore();
  const store = createAuditStore(database);
  const starts: readonly GivenSettings[] = [
    { DESK_PORT: '8080', DESK_AUTH_TOKEN: 'first secret' },
    { DESK_PORT: '8080', DESK_AUTH_TOKEN: 'first secret' },
    { DESK_PORT: '9090', DESK_AUTH_TOKEN: 'second secret' },
    { DESK_ACCESS: 'users', DESK_AUTH_TOKEN: 'second secret' },
  ];
  const recorded: string[][] = [];
  for (const given of starts) {
    const details: string[] = [];
    const audit = { record: ({ detail }: AuditEvent) => Promise.resolve(void details.push(detail)) };
    await recordChangedSettings(given, { store, audit, key: 'key', deskName: null });
    recorded.push(details);
  }
  expect(recorded).toEqual([
    [],
    [],
    ['Started with changed settings: DESK_AUTH_TOKEN, DESK_PORT.'],
    ['Started with changed settings: DESK_ACCESS, DESK_PORT.'],
  ]);
  expect(JSON.stringify(await database.query('SELECT body FROM audit_note'))).not.toMatch(/8080|9090|secret/);
});

it('of several desks, each is compared with itself, and a new key of links changes nothing else', async () => {
  const store = createAuditStore(await openTestStore());
  const details: string[] = [];
  const audit = { record: ({ detail }: AuditEvent) => Promise.resolve(void details.push(detail)) };
  const start = (deskName: string, given: GivenSettings, key = 'a', earlierKeys?: () => readonly string[]) =>
    recordChangedSettings(given, { store, audit, key, earlierKeys, deskName });
  await start('one', { DESK_PORT: '1', DESK_SECRET: 'a' });
  await start('two', { DESK_PORT: '2', DESK_SECRET: 'a' });
  await start('one', { DESK_PORT: '1', DESK_SECRET: 'a' });
  expect(details).toEqual([]);
  await start('one', { DESK_PORT: '1', DESK_SECRET: 'b a' }, 'b', () => ['a']);
  await start('one', { DESK_PORT: '1', DESK_SECRET: 'b a' }, 'b', () => ['a']);
  expect(details).toEqual(['The desk "one" started with changed settings: DESK_SECRET.']);
});
