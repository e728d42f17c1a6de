/**
 * Measures how much disk space the changes of 10,000 orders take, and how fast the orders of one time or the life of an
 * order are read again: the journal compared with rows in SQLite and with DuckDB over Parquet. Arguments: `--changes`
 * (10,000,000) for the journal alone, `--beside` (1,000,000) for all of them side by side, `--minutes` (60) as the
 * limit for storing the changes of one, `--rounds` (5). The journal is closed and reopened before each round, so
 * nothing that it remembered is left, as after a restart of Perpdesk, although the system may still have its file in
 * memory. The peers stay open.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDuckParquet } from './journal/duck-parquet.ts';
import { ask, emptyFolder, keepAll, type Responded, type Kept } from './journal/measure.ts';
import { createOwnJournal } from './journal/own-journal.ts';
import { createSqliteRows } from './journal/sqlite-rows.ts';
import { artifacts, publish, toDigits } from './lib/report.ts';
import { runRounds } from './lib/rounds.ts';
import { median } from './lib/statistics.ts';
import { formatTable } from './lib/table.ts';

const { values } = parseArgs({
  options: {
    changes: { type: 'string', default: '10000000' },
    beside: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '5' },
  },
});

interface Plan {
  readonly label: string;
  readonly changes: number;
  readonly products: number;
  readonly create: (folder: string) => ReturnType<typeof createOwnJournal>;
}

const [all, beside, mostMs] = [Number(values.changes), Number(values.beside), Number(values.minutes) * 60_000];
const [FEW, MANY] = [6, 250];
const PLANS = {
  journal: { label: 'the journal', changes: beside, products: FEW, create: createOwnJournal },
  rows: { label: 'rows in SQLite', changes: beside, products: FEW, create: createSqliteRows },
  parquet: { label: 'DuckDB over Parquet', changes: beside, products: FEW, create: createDuckParquet },
  wide: { label: `the journal, ${String(MANY)} products`, changes: beside, products: MANY, create: createOwnJournal },
  all: { label: 'the journal, all changes', changes: all, products: FEW, create: createOwnJournal },
} as const satisfies Record<string, Plan>;
type Name = keyof typeof PLANS;
const NAMES = Object.keys(PLANS) as Name[];

type Result = Omit<Kept, 'contender' | 'questions'> & Responded;

async function keep(name: Name): Promise<Kept> {
  const { create, changes, products, label } = PLANS[name];
  const kept = await keepAll(await create(emptyFolder(name)), { changes, products, mostMs });
  process.stderr.write(`${label}: ${String(kept.changes)} changes kept\n`);
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

function toResult({ changes, bytesPerChange, counts, sealMs }: Kept, answers: readonly Responded[]): Result {
  const medianOf = (figure: keyof Responded): number => median(answers.map((answer) => answer[figure]));
  const times = {
    bookMs: medianOf('bookMs'),
    lifeMs: medianOf('lifeMs'),
    countsMs: medianOf('countsMs'),
    countsBytesMs: medianOf('countsBytesMs'),
  };
  return { changes, bytesPerChange, counts, sealMs, ...times };
}

function throwUnknown(name: Name): never {
  throw new Error(`nothing was kept by ${name}`);
}

function print(results: ReadonlyMap<Name, Result>): void {
  const rows = [...results].map(
    ([name, { changes, bytesPerChange, counts, sealMs, bookMs, lifeMs, countsMs, countsBytesMs }]) => [
      PLANS[name].label,
      changes.toLocaleString('en'),
      toDigits(bytesPerChange),
      ...(counts === null ? ['', ''] : [toDigits(counts.bytesPerChange), `${toDigits(counts.share * 100)} %`]),
      ...[sealMs, bookMs, lifeMs].map(toDigits),
      ...(counts === null ? ['', ''] : [countsMs, countsBytesMs].map(toDigits)),
    ],
  );
  console.log('10,000 orders, 600 changes a reading; each segment has 90,000 changes and the book at its start.');
  console.log('Times are milliseconds of CPU. Parquet holds values; the others hold rows as the exchange wrote them.');
  console.log('Before each round the journal is opened anew, as after a restart; the peers stay open.');
  console.log(
    `The journal kept ${results.get('all')?.changes.toLocaleString('en') ?? '0'} of ${all.toLocaleString('en')} changes within at most ${values.minutes} minutes.\n`,
  );
  const heading = [
    '',
    'changes',
    'bytes/change on disk',
    'database aside',
    'of it counts',
    'to keep a segment',
    'a book',
    'an order',
    'counts of a day',
    'their bytes',
  ];
  console.log(formatTable(heading, rows));
  console.log(
    `\n${formatTable(
      ['the journal, as a multiple of', 'bytes', 'to keep', 'a book', 'an order'],
      (['rows', 'parquet'] as const).map((name) => toRatios(results, name)),
    )}`,
  );
}

function toRatios(results: ReadonlyMap<Name, Result>, name: Name): string[] {
  const [own, other] = [results.get('journal') ?? throwUnknown('journal'), results.get(name) ?? throwUnknown(name)];
  const figures = ['bytesPerChange', 'sealMs', 'bookMs', 'lifeMs'] as const;
  return [PLANS[name].label, ...figures.map((figure) => `${toDigits(own[figure] / other[figure])} x`)];
}

const results = await measure(Number(values.rounds));
print(results);
const [own, wide] = [results.get('all') ?? throwUnknown('all'), results.get('wide') ?? throwUnknown('wide')];
publish(
  'journal',
  [
    {
      what: 'on disk, database aside',
      measured: own.counts?.bytesPerChange ?? NaN,
      relation: 'at most',
      limit: 20,
      unit: 'bytes a change',
    },
    {
      what: `counts of 40 accounts and ${String(MANY)} products`,
      measured: (wide.counts?.share ?? NaN) * 100,
      relation: 'at most',
      limit: 5,
      unit: '% of it',
    },
    { what: 'keeping 90,000 changes', measured: own.sealMs, relation: 'at most', limit: 2_000, unit: 'ms of CPU' },
    { what: 'the book at a reading', measured: own.bookMs, relation: 'at most', limit: 150, unit: 'ms of CPU' },
    { what: 'the life of an order', measured: own.lifeMs, relation: 'at most', limit: 20, unit: 'ms of CPU' },
    { what: 'counts of a day', measured: own.countsMs, relation: 'at most', limit: 300, unit: 'ms of CPU' },
  ],
  Object.fromEntries(results),
);
rmSync(join(artifacts, 'journal'), { recursive: true, force: true });
