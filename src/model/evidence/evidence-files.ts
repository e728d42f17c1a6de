import type { Answer, EvidenceContent, EvidenceSubject, Json } from './evidence.ts';
import { countOf } from '../format/count.ts';

/** The names of an answer's files: its body, `answers/001.json`, and its metadata, `answers/001.meta.json`. */
interface AnswerNames {
  readonly body: string;
  readonly meta: string;
}

/** Names the files of an answer by its index, from 0. Only JSON gets the extension `.json`. */
export function nameAnswer(place: number, { headers }: Pick<Answer, 'headers'>): AnswerNames {
  const stem = `answers/${String(place + 1).padStart(3, '0')}`;
  return {
    body: `${stem}.${headers['content-type']?.includes('json') === true ? 'json' : 'txt'}`,
    meta: `${stem}.meta.json`,
  };
}

export const META_NAME = /^answers\/\d{3,}\.meta\.json$/;

function formatMeta(answer: Answer, body: string): string {
  const { target, status, headers, receivedAt } = answer;
  const [path = target, query = ''] = target.split('?');
  const meta = {
    file: body,
    target,
    path,
    query: [...new URLSearchParams(query)],
    status,
    read_at: headers['desk-answered-at'] ?? null,
    received_at: new Date(receivedAt).toISOString(),
    cache: headers['cache-status'] ?? null,
    headers,
  };
  return `${JSON.stringify(meta, null, 2)}\n`;
}

/** Throws an error whose message says, in a sentence, what is wrong with the text. */
export function parseMeta(text: string): Omit<Answer, 'bytes'> & { readonly file: string } {
  const value = JSON.parse(text) as Json;
  if (!isObject(value)) throw new Error('It is no object.');
  const { file, target, status, received_at: received, headers } = value;
  const receivedAt = typeof received === 'string' ? Date.parse(received) : NaN;
  if (
    typeof file !== 'string' ||
    typeof target !== 'string' ||
    typeof status !== 'number' ||
    !isObject(headers) ||
    Number.isNaN(receivedAt)
  )
    throw new Error('A field of it is missing or of another kind.');
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error('Its status is none of HTTP.');
  return {
    file,
    target,
    status,
    receivedAt,
    headers: Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  };
}

const EVIDENCE_FORMAT = 'perpdesk-evidence';
const EVIDENCE_VERSION = 1;

export interface ListedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** What the file contains. */
  readonly is: string;
}

/** How the evidence was made. */
export interface EvidenceOrigin {
  readonly title: string;
  /** Address of the screen. */
  readonly address: string;
  readonly made_at: string;
  readonly subject: EvidenceSubject;
  /** Whether pseudonyms stand for the codes of accounts, firms and connections. */
  readonly pseudonyms: boolean;
  readonly versions: { readonly page: string; readonly desk: string };
  readonly exchange: { readonly name: string; readonly env: string; readonly base_url: string };
}

/** `manifest.json`. */
export interface Manifest extends EvidenceOrigin {
  readonly format: typeof EVIDENCE_FORMAT;
  readonly version: typeof EVIDENCE_VERSION;
  readonly filters: readonly string[];
  readonly rows_are: string;
  readonly answers_are: string;
  readonly files: readonly ListedFile[];
}

const ROWS_ARE =
  'Computed from the answers in this file. These were read when the evidence was made, so that rows ' +
  'and answers belong together: figures may be newer than those that the screen showed.';
const EXACT = 'As received, byte for byte.';
const DISGUISED =
  'As received, but for pseudonyms in place of the codes of accounts, firms and connections, and of ' +
  'the cursors that may contain them: not byte for byte.';

function toManifest(origin: EvidenceOrigin, filters: readonly string[], files: readonly ListedFile[]): Manifest {
  const { title, address, made_at, pseudonyms, versions, exchange, subject } = origin;
  // Fixed field order: the file is compared byte for byte.
  return {
    ...{ format: EVIDENCE_FORMAT, version: EVIDENCE_VERSION, title, address, made_at, versions, exchange },
    ...{ filters, subject, pseudonyms, rows_are: ROWS_ARE, answers_are: pseudonyms ? DISGUISED : EXACT, files },
  };
}

/** Throws an error whose message says, in a sentence, what is wrong with the text. */
export function parseManifest(text: string): Manifest {
  const value = JSON.parse(text) as Json;
  if (!isObject(value)) throw new Error('It is no object.');
  if (value['format'] !== EVIDENCE_FORMAT) throw new Error(`Its format is not ${EVIDENCE_FORMAT}.`);
  if (value['version'] !== EVIDENCE_VERSION)
    throw new Error(`Its version is not ${String(EVIDENCE_VERSION)}, the only one that this Perpdesk knows.`);
  const { subject, files, versions, exchange } = value;
  for (const name of ['title', 'address', 'made_at', 'rows_are', 'answers_are'])
    if (typeof value[name] !== 'string') throw new Error(`Its ${name} is no text.`);
  if (typeof value['pseudonyms'] !== 'boolean') throw new Error('It does not say whether there are pseudonyms.');
  if (!isObject(subject) || typeof subject['screen'] !== 'string') throw new Error('Its subject names no screen.');
  if (!isObject(versions) || !isObject(exchange)) throw new Error('It names no versions or no exchange.');
  if (!Array.isArray(files) || !files.every(isListedFile)) throw new Error('Its list of files is not one.');
  return value as unknown as Manifest;
}

type JsonObject = Readonly<Record<string, Json>>;

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListedFile(value: Json): boolean {
  return (
    isObject(value) &&
    typeof value['name'] === 'string' &&
    typeof value['bytes'] === 'number' &&
    typeof value['sha256'] === 'string' &&
    typeof value['is'] === 'string'
  );
}

/** `README.txt`, for readers who have only the evidence file. */
function formatReadme({
  title,
  made_at: madeAt,
  exchange,
  pseudonyms,
}: Pick<EvidenceOrigin, 'title' | 'made_at' | 'exchange' | 'pseudonyms'>): string {
  return `${title}
${'='.repeat(title.length)}

Evidence of what Perpdesk showed of ${exchange.name} (${exchange.base_url}), made at ${madeAt}.

rows.csv, rows.json   The rows of the screen, in its order: raw values, converted values, and the text shown.
answers/              The answers that the rows were computed from, with the path, time and cache status of each.
proof.json            Whether anything is missing, and how that is known.
conversions.json      The factor and contract size of each conversion, and where they are from.
manifest.json         Every file with its size and SHA-256, the screen with its filters, and the versions.
sha256sums.txt        The same sums for sha256sum.

${toCodesNote(pseudonyms)}

To check it
-----------

  sha256sum -c sha256sums.txt              in this folder: no file was changed or lost
  npm run evidence -- check FILE.zip       in a copy of Perpdesk: also computes rows, proof and conversions again

${UNSIGNED}
`;
}

const UNSIGNED =
  'The file is not signed. It shows that rows, answers and proof agree, not who made it: keep its own SHA-256, ' +
  'which Perpdesk\nshows when it saves the file, where others cannot change it.';

function toCodesNote(pseudonyms: boolean): string {
  return pseudonyms
    ? 'Pseudonyms stand for the codes of accounts, firms and connections. One Perpdesk uses the same pseudonyms in ' +
        'all of its\nfiles; without its key they cannot be resolved. ' +
        'The answers are therefore not byte for byte as received.'
    : 'The answers are byte for byte as received. They contain the codes of accounts, firms and connections.';
}

export interface EvidenceFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface DescribedFile extends EvidenceFile {
  readonly is: string;
}

/** SHA-256 in hexadecimal digits. */
export type Hash = (bytes: Uint8Array) => string | Promise<string>;

interface EvidenceInputs {
  readonly origin: EvidenceOrigin;
  readonly content: EvidenceContent;
  readonly answers: readonly Answer[];
  readonly hash: Hash;
}

/**
 * Makes every file of the evidence. The same input always gives the same files, in the same order and byte for byte.
 */
export async function toEvidenceFiles({
  origin,
  content,
  answers,
  hash,
}: EvidenceInputs): Promise<readonly EvidenceFile[]> {
  const described = [
    ...toComputedFiles(content),
    toFile('README.txt', 'How to read and check the files.', formatReadme(origin)),
    ...answers.flatMap(toAnswerFiles),
  ];
  const listed: ListedFile[] = [];
  for (const { name, bytes, is } of described)
    listed.push({ name, bytes: bytes.length, sha256: await hash(bytes), is });
  const manifest = toFile(
    'manifest.json',
    '',
    `${JSON.stringify(toManifest(origin, content.filters, listed), null, 2)}\n`,
  );
  const sums = toFile(
    'sha256sums.txt',
    '',
    formatSums([{ name: manifest.name, sha256: await hash(manifest.bytes) }, ...listed]),
  );
  return [manifest, sums, ...described].map(({ name, bytes }) => ({ name, bytes }));
}

/** Makes the files that follow from answers and subject. */
function toComputedFiles(content: EvidenceContent): readonly DescribedFile[] {
  const { columns, rows, csv, totals, proof, conversions } = content;
  const lines = rows.join(',\n');
  return [
    toFile(
      'rows.csv',
      `${countOf(rows.length, 'row')}: raw and converted values, with units in the heading. UTF-8, RFC 4180.`,
      csv,
    ),
    toFile(
      'rows.json',
      'The same rows, each also as the screen shows it, with the totals.',
      `{"columns":${JSON.stringify(columns)},\n"totals":${JSON.stringify(totals)},\n"rows":[\n${lines}\n]}\n`,
    ),
    toFile(
      'proof.json',
      'Whether anything is missing: what was read, how many rows, when, and why the reading ended.',
      format(proof),
    ),
    toFile(
      'conversions.json',
      'By which factor and contract size values were converted, and where these are from.',
      format(conversions),
    ),
  ];
}

/** Formats checksums as `sha256sum -c` reads them. */
export function formatSums(files: readonly Pick<ListedFile, 'name' | 'sha256'>[]): string {
  return files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
}

function toAnswerFiles(answer: Answer, place: number): readonly DescribedFile[] {
  const names = nameAnswer(place, answer);
  return [
    { name: names.body, is: `The answer to GET ${answer.target}`, bytes: answer.bytes },
    toFile(names.meta, 'When and how that answer was read.', formatMeta(answer, names.body)),
  ];
}

function format(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const encoder = new TextEncoder();

function toFile(name: string, is: string, text: string): DescribedFile {
  return { name, is, bytes: encoder.encode(text) };
}
