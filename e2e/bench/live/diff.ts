import { NO_ROWS, readRows } from '../../../src/server/core/row-list.ts';
import { growthOf, toAccountChanges } from '../../../src/server/push/feed.ts';
import { toDigits, type Goal } from '../lib/report.ts';
import { runRounds } from '../lib/rounds.ts';
import { toSpread, type Spread } from '../lib/statistics.ts';
import { formatTable } from '../lib/table.ts';
import { createBook, ORDERS } from './book.ts';

const WAYS = ['readRows', 'JSON.parse'] as const;
type Way = (typeof WAYS)[number];
const READINGS = 12;
const FIELDS = { key: 'id', account: 'account_id' };

/** The milliseconds for one reading. */
export type Diff = ReadonlyMap<Way, readonly number[]>;

/** Measures comparing one reading with the next, beside parsing one. */
export async function measureDiff(rounds: number): Promise<Diff> {
  const texts = createReadings();
  const measure = (way: Way): Promise<number> =>
    Promise.resolve(way === 'readRows' ? timeUpdates(texts) : timeParses(texts));
  for (const way of WAYS) await measure(way);
  return runRounds(WAYS, rounds, measure);
}

function createReadings(): readonly string[] {
  const book = createBook();
  return Array.from({ length: READINGS + 1 }, () => {
    book.change();
    // The text is as from the wire, because one that is joined from pieces is read more slowly at first.
    return Buffer.from(JSON.stringify(book.orders())).toString();
  });
}

function timeUpdates(texts: readonly string[]): number {
  const lists = texts.map((text) => text.slice(1, -1));
  let { list } = readRows(NO_ROWS, [lists[0] ?? ''], FIELDS.key);
  return timeEach(lists.slice(1), (text) => {
    const reading = readRows(list, [text], FIELDS.key);
    if (toAccountChanges(reading.diff, FIELDS.account).size === 0 || growthOf(reading.diff) === 0)
      throw new Error('nothing has changed');
    ({ list } = reading);
  });
}

function timeParses(texts: readonly string[]): number {
  return timeEach(texts.slice(1), (text) => {
    if ((JSON.parse(text) as readonly unknown[]).length !== ORDERS) throw new Error('not all orders are there');
  });
}

function timeEach(texts: readonly string[], act: (text: string) => void): number {
  const before = process.threadCpuUsage();
  for (const text of texts) act(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000 / texts.length;
}

function ratio(results: Diff): Spread {
  const parses = results.get('JSON.parse') ?? [];
  return toSpread((results.get('readRows') ?? []).map((ms, round) => ms / (parses[round] ?? NaN)));
}

export function printDiff(results: Diff): void {
  const rows = [...results].map(([way, times]) => [way, ...Object.values(toSpread(times)).map(toDigits)]);
  console.log('\nA reading of 10,000 orders, 600 of them changed: CPU ms\n');
  console.log(formatTable(['', 'median', 'lowest', 'highest'], rows));
  const { median, lowest, highest } = ratio(results);
  console.log(`\nreadRows takes ${toDigits(median)} x JSON.parse (${toDigits(lowest)}–${toDigits(highest)})`);
}

export function diffGoals(results: Diff): Goal[] {
  return [
    {
      what: 'difference of two readings: CPU',
      measured: ratio(results).median,
      relation: 'at most',
      limit: 0.5,
      unit: 'x JSON.parse',
    },
  ];
}
