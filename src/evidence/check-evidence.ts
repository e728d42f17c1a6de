import { type Api, createApi } from '#page/client/create-api.ts';
import type { Answer, EvidenceContent, EvidenceSubject } from '#model/evidence/evidence.ts';
import type { EvidenceReader } from '#page/panels/evidence/make-evidence.ts';
import { compareReader } from '#page/panels/evidence/read-compare.ts';
import { historyReader, pastReader, workingReader } from '#page/panels/evidence/read-orders.ts';
import { priceReader } from '#page/panels/evidence/read-price.ts';
import { createHash } from 'node:crypto';
import { createReplay } from '#page/client/recording.ts';
import {
  type EvidenceFile,
  formatSums,
  type ListedFile,
  type Manifest,
  META_NAME,
  nameAnswer,
  parseManifest,
  parseMeta,
  toEvidenceFiles,
} from '#model/evidence/evidence-files.ts';
import { countOf } from '#model/format/count.ts';
import { readZip } from './read-zip.ts';

/** The result of one check, as a sentence. */
export interface Finding {
  readonly holds: boolean;
  readonly sentence: string;
}

const good = (sentence: string): Finding => ({ holds: true, sentence });
const bad = (sentence: string): Finding => ({ holds: false, sentence });

type Files = ReadonlyMap<string, Uint8Array>;

/**
 * Checks everything an evidence file claims about itself, and recomputes everything that follows from its responses.
 */
export async function checkEvidence(zip: Uint8Array): Promise<readonly Finding[]> {
  try {
    const files: Files = new Map((await readZip(zip)).map(({ name, bytes }) => [name, bytes]));
    const manifest = readText(files, 'manifest.json', parseManifest);
    const findings = [
      good(
        `The zip has ${countOf(files.size, 'file')}, and manifest.json is of the format ` +
          `${manifest.format}, version ${String(manifest.version)}.`,
      ),
      ...checkNames(files, manifest),
      ...checkSums(files, manifest),
    ];
    return [...findings, ...(await checkContent(files, manifest))];
  } catch (error) {
    return [bad(toSentence(error))];
  }
}

function checkNames(files: Files, { files: listed }: Manifest): readonly Finding[] {
  const names = new Set(listed.map(({ name }) => name));
  const known = ['manifest.json', 'sha256sums.txt'];
  const missing = [...names, ...known].filter((name) => !files.has(name)).map((name) => bad(`${name} is missing.`));
  const added = [...files.keys()]
    .filter((name) => !names.has(name) && !known.includes(name))
    .map((name) => bad(`${name} is not in the manifest.`));
  const twice = names.size === listed.length ? [] : [bad('The manifest lists a file twice.')];
  const found = [...missing, ...added, ...twice];
  return found.length > 0
    ? found
    : [good('Every file is in the manifest, and every file of the manifest is in the zip.')];
}

function checkSums(files: Files, { files: listed }: Manifest): readonly Finding[] {
  const wrong = listed
    .filter((file) => isChanged(file, files))
    .map(({ name }) => bad(`${name} has another size or SHA-256 than the manifest says: it was changed.`));
  const ofFiles =
    wrong.length > 0
      ? wrong
      : [good(`The size and SHA-256 of ${countOf(listed.length, 'file')} are as in the manifest.`)];
  const own = files.get('manifest.json') ?? new Uint8Array();
  const isSame = isEqual(
    files.get('sha256sums.txt'),
    new TextEncoder().encode(formatSums([{ name: 'manifest.json', sha256: hash(own) }, ...listed])),
  );
  return [
    ...ofFiles,
    isSame
      ? good('sha256sums.txt has the same sums, and that of the manifest.')
      : bad('sha256sums.txt does not have the sums of the manifest and of its files: one of the two was changed.'),
  ];
}

function isChanged({ name, bytes, sha256 }: ListedFile, files: Files): boolean {
  const file = files.get(name);
  return file !== undefined && (file.length !== bytes || hash(file) !== sha256);
}

/** Regenerates all files from the responses and from what the manifest says about the screen, and compares them. */
async function checkContent(files: Files, manifest: Manifest): Promise<readonly Finding[]> {
  const answers = readAnswers(files);
  const replay = createReplay(answers);
  const content = await readContent(createApi(replay.http), manifest.subject).catch((error: unknown) => {
    throw new Error(`Rows, proof and conversions cannot be computed from the answers. ${toSentence(error)}`);
  });
  const { subject, title, address, made_at, pseudonyms, versions, exchange } = manifest;
  const made = await toEvidenceFiles({
    origin: { title, address, made_at, subject, pseudonyms, versions, exchange },
    content,
    answers,
    hash,
  });
  const unused = replay.unused().map(({ target }) => bad(`The answer to GET ${target} is not needed for the rows.`));
  return [
    ...made.flatMap((file) => compare(file, files)),
    ...unused,
    good(`Rows: ${String(content.rows.length)}. Answers: ${String(answers.length)}.`),
  ];
}

const READERS: Readonly<Record<string, Pick<EvidenceReader<never>, 'read'>>> = {
  orders: workingReader,
  history: historyReader,
  past: pastReader,
  funding: compareReader,
  price: priceReader,
};

const noPause = (): Promise<void> => Promise.resolve();

/** Computes what the screen of a subject shows, from the responses in the file. Throws if there is no such screen. */
function readContent(api: Api, subject: EvidenceSubject): Promise<EvidenceContent> {
  const reader = Object.hasOwn(READERS, subject.screen) ? READERS[subject.screen] : undefined;
  if (reader === undefined) throw new Error(`This Perpdesk knows no screen “${subject.screen}”.`);
  // The manifest is untrusted: a reader throws on a subject that it cannot use.
  return reader.read(api, subject as never, noPause);
}

/** The files that are computed from the responses, as named in findings. */
const COMPUTED: Readonly<Record<string, string>> = {
  'manifest.json': 'The manifest',
  'README.txt': 'The README',
  'rows.csv': 'rows.csv (figures, filter and order)',
  'rows.json': 'rows.json (figures, texts shown and totals)',
  'proof.json': 'The proof (counts, parts, duplicates and times)',
  'conversions.json': 'The conversions',
};

function compare({ name, bytes }: EvidenceFile, files: Files): readonly Finding[] {
  const found = files.get(name);
  const isSame = isEqual(found, bytes);
  const what = COMPUTED[name];
  if (what === undefined)
    return isSame || found === undefined || name === 'sha256sums.txt'
      ? []
      : [bad(`${name} is not in the form in which Perpdesk writes it.`)];
  if (isSame) return [good(`${what} can be computed from the answers, byte for byte.`)];
  return found === undefined
    ? []
    : [bad(`${what} does not follow from the answers. ${describeDifference(found, bytes)}`)];
}

const LONGEST = 200;

function describeDifference(found: Uint8Array, expected: Uint8Array): string {
  const [lines, others] = [found, expected].map((bytes) => new TextDecoder().decode(bytes).split('\n'));
  const at = (others ?? []).findIndex((line, place) => line !== lines?.[place]);
  const place = at < 0 ? (others?.length ?? 0) : at;
  return `Line ${String(place + 1)} is ${quote(lines?.[place])}, computed: ${quote(others?.[place])}.`;
}

/** Quotes a line, because a hostile file must not control the terminal. */
function quote(line: string | undefined): string {
  return line === undefined ? 'absent' : JSON.stringify(line.slice(0, LONGEST));
}

function readAnswers(files: Files): readonly Answer[] {
  const metas = [...files.keys()]
    .filter((name) => META_NAME.test(name))
    .sort((one, other) => Number.parseInt(one.slice(8), 10) - Number.parseInt(other.slice(8), 10));
  const targets = new Set<string>();
  return metas.map((name, place) => {
    const { file, ...answer } = readText(files, name, parseMeta);
    const names = nameAnswer(place, answer);
    if (names.meta !== name || names.body !== file) throw new Error(`${name} is not where its answer is expected.`);
    if (targets.has(answer.target)) throw new Error(`Two answers are to GET ${answer.target}.`);
    targets.add(answer.target);
    const bytes = files.get(file);
    if (bytes === undefined) throw new Error(`${file} is missing.`);
    return { ...answer, bytes };
  });
}

function readText<Value>(files: Files, name: string, parse: (text: string) => Value): Value {
  const bytes = files.get(name);
  if (bytes === undefined) throw new Error(`${name} is missing: this is no evidence file.`);
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Error(`${name} cannot be read. ${toSentence(error)}`, { cause: error });
  }
}

function isEqual(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one !== undefined && Buffer.compare(one, other) === 0;
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function toSentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
