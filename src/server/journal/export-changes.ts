import { parseArgs } from 'node:util';
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { zstdCompressSync } from 'node:zlib';
import { type ColumnSource, fileWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { isInstant } from '#contract/exchange/instant.ts';
import { DeskJournal, type OrderChange } from '#contract/desk/journal.ts';
import { fieldOf } from '#contract/parse/row-texts.ts';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { splitFields, splitList } from '#contract/parse/json-split.ts';
import { createParser } from '#contract/parse/parse.ts';
import { LARGEST_LIMIT } from '#contract/exchange/parameters.ts';
import { ProblemDocument } from '#contract/desk/problems.ts';
import { isLoopback } from '#server/core/network.ts';

interface ExportOptions {
  readonly file: string;
  /** Null for the Perpdesk that is running on the data folder. */
  readonly desk: URL | null;
  readonly tokenFile: string | null;
  readonly begin: string | null;
  readonly end: string | null;
}

/** Returns the options, or a sentence that says what is wrong with them. */
export function readOptions(args: readonly string[]): ExportOptions | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'desk': { type: 'string' },
        'token-file': { type: 'string' },
        'begin': { type: 'string' },
        'end': { type: 'string' },
      },
    });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) return 'Name one file to write.';
    const { 'desk': address, 'token-file': tokenFile = null, begin = null, end = null } = values;
    const desk = address === undefined ? null : toDesk(address, tokenFile !== null);
    return typeof desk === 'string' ? desk : (findWrongTime(begin, end) ?? { file, desk, tokenFile, begin, end });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function toDesk(address: string, hasToken: boolean): URL | string {
  const desk = URL.parse(address);
  if (desk === null || !/^https?:$/.test(desk.protocol))
    return `--desk is "${address}", but must be an address such as http://127.0.0.1:8080.`;
  const isReadable = desk.protocol === 'http:' && !isLoopback(desk.hostname.replace(/^\[|\]$/g, ''));
  return hasToken && isReadable ? `--desk is "${address}": a token is sent to another machine only by https.` : desk;
}

function findWrongTime(begin: string | null, end: string | null): string | null {
  const wrong = Object.entries({ begin, end }).find(([, instant]) => instant !== null && !isInstant(instant));
  if (wrong !== undefined)
    return `--${wrong[0]} is "${String(wrong[1])}", but must be a time in UTC such as 2026-11-26T00:00:00Z.`;
  return begin !== null && end !== null && Date.parse(begin) >= Date.parse(end)
    ? '--begin must be before --end.'
    : null;
}

/** A change as received: its orders are texts of JSON. */
interface ChangeTexts extends Pick<OrderChange, 'kind' | 'order_id' | 'read_after' | 'read_by' | 'fields'> {
  readonly before: string | null;
  readonly order: string;
}

interface ChangeColumn {
  readonly name: string;
  readonly type: 'text' | 'instant' | 'integer' | 'number';
  readonly nullable: boolean;
  readonly read: (change: ChangeTexts) => unknown;
}

/** IDs and the exchange’s times are texts, because no other column type keeps all of their digits. */
const TEXTS = [
  'symbol',
  'product_type',
  'side',
  'account_id',
  'clearing_firm_code',
  'connection_id',
  'status',
  'time_in_force',
  'time',
  'last_modified',
  'open_ack_id',
] as const;
/** These fields change, so the file also has a column for the value before. */
const NUMBERS = [
  ['price', 'integer'],
  ['quantity_requested', 'integer'],
  ['quantity_filled', 'integer'],
  ['avg_price', 'number'],
] as const;

const COLUMNS: readonly ChangeColumn[] = [
  { name: 'kind', type: 'text', nullable: false, read: ({ kind }) => kind },
  { name: 'order_id', type: 'text', nullable: false, read: ({ order_id: id }) => id },
  { name: 'read_after', type: 'instant', nullable: true, read: ({ read_after: at }) => at },
  { name: 'read_by', type: 'instant', nullable: false, read: ({ read_by: at }) => at },
  { name: 'fields', type: 'text', nullable: false, read: ({ fields }) => fields.join(' ') },
  { name: 'product_id', type: 'integer', nullable: true, read: ({ order }) => valueOf(order, 'product_id') },
  ...TEXTS.map((name): ChangeColumn => ({
    name,
    type: 'text',
    nullable: true,
    read: ({ order }) => valueOf(order, name),
  })),
  ...NUMBERS.flatMap(([name, type]): readonly ChangeColumn[] => [
    {
      name: `before_${name}`,
      type,
      nullable: true,
      read: ({ before }) => (before === null ? null : valueOf(before, name)),
    },
    { name, type, nullable: true, read: ({ order }) => valueOf(order, name) },
  ]),
  // The whole order as received, including fields that are not known here.
  { name: 'order', type: 'text', nullable: false, read: ({ order }) => order },
];

const ELEMENTS: Readonly<Record<ChangeColumn['type'], Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
};

const CHANGE_SCHEMA: readonly SchemaElement[] = [
  { name: 'changes', num_children: COLUMNS.length },
  ...COLUMNS.map(({ name, type, nullable }): SchemaElement => ({
    name,
    ...ELEMENTS[type],
    repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
  })),
];

function toColumns(changes: readonly ChangeTexts[]): ColumnSource[] {
  return COLUMNS.map(({ name, type, read }) => ({ name, data: changes.map((change) => toCell(type, read(change))) }));
}

/** Returns null for a value that does not fit the type of its column: the `order` column still has it. */
function toCell(type: ChangeColumn['type'], value: unknown): unknown {
  switch (type) {
    case 'text':
      return typeof value === 'string' ? value : null;
    case 'instant':
      return typeof value === 'string' ? new Date(value) : null;
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
  }
}

function valueOf(row: string, field: string): unknown {
  const text = fieldOf(row, field);
  return text === undefined ? null : (JSON.parse(text) as unknown);
}

type Query = Readonly<Record<string, string>>;

const journalParser = createParser(DeskJournal, 'gaps');
const problemParser = createParser(ProblemDocument);

/** A running Perpdesk; the token is null if no sign-in is required. */
export interface RunningDesk {
  readonly address: URL;
  readonly token: string | null;
}

/**
 * Returns the time that the journal of a server covers.
 *
 * @internal Exported for its test.
 */
export async function readJournal(desk: RunningDesk, range: Query): Promise<DeskJournal> {
  return journalParser.strict(await readText(desk, DESK_ENDPOINTS.journal.path, range));
}

/**
 * Returns all changes of a range, oldest first, page by page.
 *
 * @internal Exported for its test.
 */
export async function* readChanges(desk: RunningDesk, range: Query): AsyncIterable<readonly ChangeTexts[]> {
  let cursor: string | null = null;
  do {
    const query: Query = {
      ...range,
      order: 'asc',
      limit: String(LARGEST_LIMIT.journal),
      ...(cursor !== null && { cursor }),
    };
    const page = splitFields(await readText(desk, DESK_ENDPOINTS.journalChanges.path, query));
    yield splitList(page.get('changes') ?? '[]', 1).map(toChange);
    ({ cursor } = JSON.parse(page.get('pagination') ?? '{"cursor":null}') as { readonly cursor: string | null });
  } while (cursor !== null);
}

function toChange(text: string): ChangeTexts {
  const fields = splitFields(text);
  const { before, order, ...others } = Object.fromEntries(fields);
  const values = Object.fromEntries(
    Object.entries(others).map(([name, value]) => [name, JSON.parse(value) as unknown]),
  );
  return {
    ...(values as unknown as ChangeTexts),
    before: before === undefined || before === 'null' ? null : before,
    order: order ?? '{}',
  };
}

async function readText({ address, token }: RunningDesk, path: string, query: Query): Promise<string> {
  const url = new URL(path, address);
  url.search = new URLSearchParams(query).toString();
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers }).catch((error: unknown) => {
    throw new Error(`No Perpdesk responds at ${address.origin}: ${reasonOf(error)}.`, { cause: error });
  });
  const text = await response.text();
  if (response.ok) return text;
  const { value: problem } = problemParser.tolerant(text);
  throw new Error(
    problem === null ? `${url.href} responded with ${String(response.status)}.` : `${problem.title}: ${problem.detail}`,
  );
}

function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: string } };
  return cause?.code ?? String(error);
}

/** Larger groups compress better, but the whole group is in memory. */
const ROW_GROUP = 100_000;

/** Writes the changes of the journal to a Parquet file. Returns sentences that say what it did. */
export async function exportChanges(
  { file, begin, end }: Pick<ExportOptions, 'file' | 'begin' | 'end'>,
  desk: RunningDesk,
  report: (sentence: string) => void,
): Promise<readonly string[]> {
  if (existsSync(file)) throw new Error(`${file} exists already.`);
  const { kept_from: from, read_to: to } = await readJournal(desk, {});
  if (from === null || to === null) throw new Error('The journal is empty.');
  // Changes read during the export are left out, so that the file covers one fixed range.
  const last = Date.parse(to) + 1;
  const range = {
    begin_time: begin ?? from,
    end_time: new Date(Math.min(last, end === null ? last : Date.parse(end))).toISOString(),
  };
  const { gaps } = await readJournal(desk, range);
  const part = `${file}.part`;
  try {
    const count = await writeFile(
      part,
      readChanges(desk, range),
      { ...range, kept_from: from, read_to: to, gaps: JSON.stringify(gaps) },
      report,
    );
    const { kept_from: keptNow } = await readJournal(desk, {});
    if (keptNow !== from && Date.parse(keptNow ?? to) > Date.parse(range.begin_time))
      throw new Error(
        'The journal dropped its oldest changes meanwhile, so that the file would lack some: choose a later --begin.',
      );
    renameSync(part, file);
    const missing =
      gaps.length === 0
        ? []
        : [
            `Not read for ${gaps.length === 1 ? 'one gap' : `${String(gaps.length)} gaps`} in this time, ` +
              'in which changes may have gone unseen: see the file’s metadata.',
          ];
    return [
      `${count.toLocaleString('en')} changes from ${range.begin_time} to ${range.end_time} in ${file}, ` +
        `${statSync(file).size.toLocaleString('en')} bytes.`,
      ...missing,
    ];
  } finally {
    rmSync(part, { force: true });
  }
}

async function writeFile(
  path: string,
  pages: AsyncIterable<readonly ChangeTexts[]>,
  metadata: Readonly<Record<string, string>>,
  report: (sentence: string) => void,
): Promise<number> {
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [...CHANGE_SCHEMA],
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    createdBy: 'perpdesk',
  });
  let count = 0;
  let waiting: ChangeTexts[] = [];
  const write = async (): Promise<void> => {
    if (waiting.length > 0) await writer.write({ columnData: toColumns(waiting), rowGroupSize: ROW_GROUP });
    count += waiting.length;
    waiting = [];
  };
  for await (const page of pages) {
    for (const change of page) waiting.push(change);
    if (waiting.length < ROW_GROUP) continue;
    await write();
    report(`${count.toLocaleString('en')} changes …`);
  }
  await write();
  await writer.finish();
  return count;
}
