import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { readRecord, startRecord } from './order-record.ts';

it('keeps what the exchange stores of its orders, and ends with the orders that work', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, 'venue.sqlite');
  const options = [
    '--store',
    file,
    '--working',
    '50',
    '--orders',
    '200',
    '--history-days',
    '10',
    '--clock',
    '2026-08-18T14:00:00Z',
  ];
  await (await startVenue(options)).stop();
  startRecord(file);
  // At its start the exchange simulates its downtime.
  await (await startVenue([...options.slice(0, -1), '2026-08-18T14:09:00Z', '--live', 'on'])).stop();
  const { changes, filledBefore } = readRecord(file);
  expect(filledBefore.size).toBe(50);
  expect(changes.length).toBeGreaterThan(0);
  const working = new Set(filledBefore.keys());
  for (const { id, isClosed } of changes) {
    if (isClosed) working.delete(id);
    else working.add(id);
  }
  using database = new DatabaseSync(file, { readOnly: true });
  const ids = database
    .prepare('SELECT CAST(id AS TEXT) AS id FROM working')
    .all()
    .map(({ id }) => String(id));
  expect([...working].sort()).toEqual(ids.sort());
});
