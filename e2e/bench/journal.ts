/**
 * What the changes of 10,000 orders take on disk, and how soon a book or the life of an order is read again: segments beside
 * rows in SQLite and beside DuckDB over Parquet. Arguments: `--changes` (10,000,000) for segments, `--beside` (1,000,000)
 * for all of them beside each other, `--rounds` (3).
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDuckParquet } from './journal/duck-parquet.ts';
import { ask, CHANGES_PER_SEGMENT, emptyFolder, keepAll, type Answered, type Kept } from './journal/measure.ts';
import { createSegments } from './journal/segments.ts';
import { createSqliteRows } from './journal/sqlite-rows.ts';
import { artifacts, publish, toDigits } from './lib/report.ts';
import { runRounds } from './lib/rounds.ts';
import { median } from './lib/statistics.ts';
import { formatTable } from './lib/table.ts';

const { values } = parseArgs({
  options: {
    changes: { type: 'string', default: '10000000' },
    beside: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
  },
});

interface Plan {
  readonly label: string;
  readonly changes: number;
  readonly create: (folder: string) => ReturnType<typeof createSegments>;
}

const [all, beside] = [Number(values.changes), Number(values.beside)];
const PLANS = {
  segments: { label: 'segments', changes: beside, create: createSegments },
  rows: { label: 'rows in SQLite', changes: beside, create: createSqliteRows },
  parquet: { label: 'DuckDB over Parquet', changes: beside, create: createDuckParquet },
  all: { label: 'segments, all changes', changes: all, create: createSegments },
} as const satisfies Record<string, Plan>;
type Name = keyof typeof PLANS;
const NAMES = Object.keys(PLANS) as Name[];

type Result = Omit<Kept, 'contender' | 'questions'> & Answered;

async function keep(name: Name): Promise<Kept> {
  const { create, changes } = PLANS[name];
  const kept = await keepAll(await create(emptyFolder(name)), Math.max(1, Math.round(changes / CHANGES_PER_SEGMENT)));
  process.stderr.write(`${PLANS[name].label}: ${String(kept.changes)} changes kept\n`);
  return kept;
}

async function measure(rounds: number): Promise<ReadonlyMap<Name, Result>> {
  await using stack = new AsyncDisposableStack();
  const kept = new Map<Name, Kept>();
  for (const name of NAMES) {
    const one = await keep(name);
    stack.use(one.contender);
    kept.set(name, one);
  }
  const answers = await runRounds(NAMES, rounds, (name) => ask(kept.get(name) ?? throwUnknown(name)));
  return new Map(NAMES.map((name) => [name, toResult(kept.get(name) ?? throwUnknown(name), answers.get(name) ?? [])]));
}

function toResult({ changes, bytesPerChange, blockBytesPerChange, sealMs }: Kept, answers: readonly Answered[]): Result {
  return { changes, bytesPerChange, blockBytesPerChange, sealMs, bookMs: median(answers.map(({ bookMs }) => bookMs)), lifeMs: median(answers.map(({ lifeMs }) => lifeMs)) };
}

function throwUnknown(name: Name): never {
  throw new Error(`nothing was kept by ${name}`);
}

function print(results: ReadonlyMap<Name, Result>): void {
  const rows = [...results].map(([name, { changes, bytesPerChange, blockBytesPerChange, sealMs, bookMs, lifeMs }]) => [
    PLANS[name].label,
    changes.toLocaleString('en'),
    toDigits(bytesPerChange),
    Number.isNaN(blockBytesPerChange) ? '' : toDigits(blockBytesPerChange),
    ...[sealMs, bookMs, lifeMs].map(toDigits),
  ]);
  console.log('10,000 orders, 600 changes a reading; each segment has 90,000 changes and the book at its start.');
  console.log('Times are milliseconds of CPU. Parquet holds values; the others hold rows as the exchange wrote them.\n');
  console.log(formatTable(['', 'changes', 'bytes/change on disk', 'in blocks', 'to keep a segment', 'a book', 'an order'], rows));
  const [segments, rest] = [results.get('segments'), [results.get('rows'), results.get('parquet')]];
  const ratios = rest.map((each) => toDigits((segments?.bytesPerChange ?? Number.NaN) / (each?.bytesPerChange ?? Number.NaN)));
  console.log(`\nOn disk, segments take ${ratios[0] ?? ''} x the bytes of rows in SQLite and ${ratios[1] ?? ''} x those of Parquet.`);
}

const results = await measure(Number(values.rounds));
print(results);
const { blockBytesPerChange, sealMs, bookMs, lifeMs } = results.get('all') ?? throwUnknown('all');
publish(
  'journal',
  [
    { what: 'blocks, base rows included', measured: blockBytesPerChange, relation: 'at most', limit: 14.8, unit: 'bytes a change' },
    { what: 'keeping 90,000 changes', measured: sealMs, relation: 'at most', limit: 800, unit: 'ms of CPU' },
    { what: 'the book at a reading', measured: bookMs, relation: 'at most', limit: 150, unit: 'ms of CPU' },
    { what: 'the life of an order', measured: lifeMs, relation: 'at most', limit: 20, unit: 'ms of CPU' },
  ],
  Object.fromEntries(results),
);
rmSync(join(artifacts, 'journal'), { recursive: true, force: true });
