import { expect, test } from 'vitest';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { explainOpening } from './sqlite-sentences.ts';

function toError(errcode: number, message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
}

test('a database that is damaged while Perpdesk runs is called that, with what to do', async () => {
  const { mustWrite } = await openTestStore();
  const damaged = explainOpening('data')(toError(11, 'database disk image is malformed'));
  const detail =
    'Perpdesk cannot write to its data folder (database disk image is malformed): its database is damaged. Stop Perpdesk, move gateway.sqlite elsewhere, then restore a backup. Without one, the next start creates an empty database, and people, rules and the journal are lost.';
  await expect(mustWrite(() => Promise.reject(damaged))).rejects.toMatchObject({
    problem: { type: 'desk-cannot-write', detail },
  });
});

test.each([
  [5, 'database is locked', 'Another Perpdesk is using data: stop it, or set DESK_DATA_DIR to another folder.'],
  [
    11,
    'malformed',
    'data/gateway.sqlite is damaged: move it elsewhere, then restore a backup. Without one, Perpdesk creates an empty database, and people, rules and the journal are lost.',
  ],
  [
    13,
    'database or disk is full',
    'Cannot write to data (database or disk is full): set DESK_DATA_DIR to another folder.',
  ],
])('a database that cannot be opened is explained: code %d', (code, message, sentence) => {
  expect(explainOpening('data')(toError(code, message)).message).toBe(sentence);
});

test('a bug is not explained as a failure of the database', () => {
  const mistake = new TypeError('mistake');
  expect(() => explainOpening('data')(mistake)).toThrow(mistake);
});
