import { expect, it } from 'vitest';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { createAuditStore } from './audit-store.ts';
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
    await recordChangedSettings(given, 'key', store, {
      record: ({ detail }) => Promise.resolve(void details.push(detail)),
    });
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
