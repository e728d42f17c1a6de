import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeskJournal, DeskJournalChanges } from '#contract/desk/journal.ts';
import { readParquet } from '#testing/read-parquet.ts';
import { startDesk, type StartedDesk } from '#testing/start-desk.ts';
import { exportChanges } from './export-changes.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpdesk-'));
let desk: StartedDesk;

beforeAll(async () => {
  desk = await startDesk({ venue: ['--live', 'on', '--speed', '100'] });
}, 60_000);

afterAll(async () => {
  await desk.stop();
  rmSync(folder, { recursive: true, force: true });
});

const read = async <Value>(path: string): Promise<Value> =>
  (await (await fetch(`${desk.api}/desk/${path}`)).json()) as Value;
const optionsFor = (name: string, range: { readonly begin?: string; readonly end?: string } = {}) => ({
  file: join(folder, name),
  begin: range.begin ?? null,
  end: range.end ?? null,
});
const here = () => ({ address: new URL(desk.api), token: null });
const none = (): undefined => undefined;

test('an empty journal is not exported, nor one of no Perpdesk', async () => {
  await expect(exportChanges(optionsFor('empty.parquet'), here(), none)).rejects.toThrow('The journal is empty.');
  await expect(
    exportChanges(optionsFor('none.parquet'), { address: new URL('http://127.0.0.1:9'), token: null }, none),
  ).rejects.toThrow(/^No Perpdesk responds at http:\/\/127\.0\.0\.1:9: /);
  expect(existsSync(join(folder, 'none.parquet.part'))).toBe(false);
});

test(
  'a file has every change with its order as on the wire, and says what it covers',
  { timeout: 60_000 },
  async () => {
    do {
      await read('working');
      await wait(1_000);
    } while ((await read<DeskJournalChanges>('journal/changes?kind=changed')).changes.length === 0);
    const options = optionsFor('all.parquet');
    const [said] = await exportChanges(options, here(), none);
    const { changes } = await read<DeskJournalChanges>('journal/changes?order=asc&limit=10000');
    expect(said).toContain(`${changes.length.toLocaleString('en')} changes from `);
    const rows = await readParquet(options.file);
    expect(rows.map(({ kind, order_id: id, read_by: at }) => [kind, id, (at as Date).toISOString()])).toEqual(
      changes.map(({ kind, order_id: id, read_by: at }) => [kind, id, at]),
    );
    expect(rows.map(({ order }) => JSON.parse(String(order)) as unknown)).toEqual(changes.map(({ order }) => order));
    const toPair = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
    expect(
      rows.map((row) =>
        [row['before_quantity_filled'], row['quantity_filled'], row['price'], row['avg_price']].map(toPair),
      ),
    ).toEqual(
      changes.map(({ before, order }) => [
        before?.quantity_filled ?? null,
        order.quantity_filled,
        order.price,
        order.avg_price,
      ]),
    );
    const { key_value_metadata: metadata } = await parquetMetadataAsync(await asyncBufferFromFile(options.file));
    const { kept_from: from } = await read<DeskJournal>('journal');
    expect(metadata).toContainEqual({ key: 'kept_from', value: from });
    expect(metadata).toContainEqual({ key: 'gaps', value: '[]' });
  },
);

test('a file is not overwritten, and has only readings of its time', { timeout: 60_000 }, async () => {
  const taken = optionsFor('taken.parquet');
  writeFileSync(taken.file, 'mine');
  await expect(exportChanges(taken, here(), none)).rejects.toThrow(/exists already\.$/);
  const { kept_from: from } = await read<DeskJournal>('journal');
  const later = optionsFor('later.parquet', { begin: new Date(Date.parse(String(from)) + 1).toISOString() });
  await exportChanges(later, here(), none);
  const rows = await readParquet(later.file);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ read_by: at }) => (at as Date).toISOString() > String(from))).toBe(true);
});
