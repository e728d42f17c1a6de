import type { EvidenceSubject, Json } from './evidence.ts';

const EVIDENCE_FORMAT = 'perpdesk-evidence';
const EVIDENCE_VERSION = 1;

export interface ListedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** What it is. */
  readonly is: string;
}

/** How an evidence file came to be, apart from its files. */
export interface EvidenceOrigin {
  readonly title: string;
  /** Of the screen. */
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
  'Computed from the answers in this file. These were read when the evidence was made, so that rows and answers belong together: figures may be newer than those that the screen showed.';
const EXACT = 'As received, byte for byte.';
const DISGUISED =
  'As received, but for pseudonyms in place of the codes of accounts, firms and connections, and of the cursors that may contain them: not byte for byte.';

export function toManifest(origin: EvidenceOrigin, filters: readonly string[], files: readonly ListedFile[]): Manifest {
  const { title, address, made_at, pseudonyms, versions, exchange, subject } = origin;
  // In the same order whoever writes it, since the file is compared by its bytes.
  return {
    ...{ format: EVIDENCE_FORMAT, version: EVIDENCE_VERSION, title, address, made_at, versions, exchange },
    ...{ filters, subject, pseudonyms, rows_are: ROWS_ARE, answers_are: pseudonyms ? DISGUISED : EXACT, files },
  };
}

/** Throws a sentence that says what is wrong with it. */
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

export function isObject(value: Json | undefined): value is JsonObject {
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
