import { type EvidenceOrigin, type ListedFile, toManifest } from './manifest.ts';
import { countOf } from '../format/count.ts';
import { formatMeta, nameAnswer } from './answer-files.ts';
import type { Answer, EvidenceContent } from './evidence.ts';

/** `README.txt`: for somebody who has only the file. */
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

${pseudonyms ? 'Pseudonyms stand for the codes of accounts, firms and connections. One Perpdesk uses the same pseudonyms in all of its\nfiles; without its key they cannot be resolved. The answers are therefore not byte for byte as received.' : 'The answers are byte for byte as received. They contain the codes of accounts, firms and connections.'}

To check it
-----------

  sha256sum -c sha256sums.txt              in this folder: no file was changed or lost
  npm run evidence -- check FILE.zip       in a copy of Perpdesk: also computes rows, proof and conversions again

The file is not signed. It shows that rows, answers and proof agree, not who made it: keep its own SHA-256, which Perpdesk
shows when it saves the file, where others cannot change it.
`;
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

interface EvidenceParts {
  readonly origin: EvidenceOrigin;
  readonly content: EvidenceContent;
  readonly answers: readonly Answer[];
  readonly hash: Hash;
}

/** Every file of the evidence, always in the same order and, for the same parts, of the same bytes. */
export async function toEvidenceFiles({
  origin,
  content,
  answers,
  hash,
}: EvidenceParts): Promise<readonly EvidenceFile[]> {
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

/** The files that follow from answers and subject. */
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

/** As `sha256sum -c` reads it. */
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
