import { Zip, ZipDeflate } from 'fflate';
import { type EvidenceFile, type EvidenceOrigin, type Hash, toEvidenceFiles } from '#model/evidence/evidence-files.ts';
import type { Pause } from './evidence-rows.ts';
import type { Answer, EvidenceContent, EvidenceRow, EvidenceSubject } from '#model/evidence/evidence.ts';
import { type Api, createApi } from '#page/client/create-api.ts';
import { createHttpClient, type HttpClientDeps } from '#page/client/http-client.ts';
import { createRecorder, createReplay } from '#page/client/recording.ts';
import { createPseudonyms, disguiseAnswers, type Pseudonyms } from '#model/evidence/pseudonyms.ts';

/** The orders in the file: the sender must know everything in a file that is passed on. */
export interface FileContents {
  /** Describes them in a sentence, with pseudonyms or with codes. */
  readonly describe: (pseudonyms: boolean) => string;
  /**
   * Orders in the file that the screen does not show, to which the user must agree: `1,157 orders`. Null if there are
   * none.
   */
  readonly unshown: string | null;
}

/** The evidence that a screen offers. Subjects are made on request, because rows and filters may have changed since. */
export interface EvidenceOffer<Subject extends EvidenceSubject> {
  /** Title of the screen, with which the file name begins: `Working orders`. */
  readonly title: string;
  readonly toSubject: () => Subject;
  readonly reader: EvidenceReader<Subject>;
  /** Null if the responses contain no orders, and no codes of accounts, firms and connections. */
  readonly contents: FileContents | null;
  /** A sentence about what is read. */
  readonly reads: string;
}

/** How a screen makes evidence: its requests and computations depend only on the subject and the responses. */
export interface EvidenceReader<Subject extends EvidenceSubject> {
  readonly read: (api: Api, subject: Subject, pause: Pause) => Promise<EvidenceContent>;
  /** Replaces the codes in a subject with pseudonyms; absent if subjects contain no codes. */
  readonly disguise?: (subject: Subject, pseudonyms: Pseudonyms) => Subject;
}

interface MakeInputs<Subject extends EvidenceSubject> extends HttpClientDeps {
  readonly reader: EvidenceReader<Subject>;
  readonly origin: Omit<EvidenceOrigin, 'subject' | 'made_at'> & { readonly subject: Subject };
  readonly hash: Hash;
  readonly pause: Pause;
  readonly signal: AbortSignal;
}

interface MadeEvidence {
  readonly files: readonly EvidenceFile[];
  readonly rows: number;
}

/**
 * Reads the data that the rows depend on, computes the rows, and puts all of it into files. Throws a sentence that
 * names the failed request.
 */
export async function makeEvidence<Subject extends EvidenceSubject>(
  inputs: MakeInputs<Subject>,
): Promise<MadeEvidence> {
  const { reader, origin, hash, pause, now, signal } = inputs;
  const recorder = createRecorder(inputs);
  try {
    const plain = {
      subject: origin.subject,
      address: origin.address,
      content: await reader.read(createApi(recorder.http), origin.subject, pause),
      answers: recorder.answers(),
    };
    signal.throwIfAborted();
    const written = origin.pseudonyms ? await disguise(inputs, plain) : plain;
    const { subject, address, content, answers } = written;
    const files = await toEvidenceFiles({
      origin: { ...origin, subject, address, made_at: new Date(now()).toISOString() },
      content,
      answers,
      hash,
    });
    return { files, rows: content.rows.length };
  } catch (error) {
    throw toNamedFailure(error, recorder.targetOf(error));
  }
}

interface Computed<Subject> {
  readonly subject: Subject;
  readonly address: string;
  readonly content: EvidenceContent;
  readonly answers: readonly Answer[];
}

/** Computes everything again from disguised responses, so that no code can remain in a figure or a sentence. */
async function disguise<Subject extends EvidenceSubject>(
  { reader, pause, fetch, now, timeout }: MakeInputs<Subject>,
  plain: Computed<Subject>,
): Promise<Computed<Subject>> {
  const { value } = await createApi(createHttpClient({ fetch, now, timeout })).desk.aliases({});
  const pseudonyms = createPseudonyms(value.aliases);
  const answers = disguiseAnswers(plain.answers, pseudonyms);
  const subject = reader.disguise?.(plain.subject, pseudonyms) ?? plain.subject;
  const content = await reader.read(createApi(createReplay(answers).http), subject, pause);
  if (listIds(content) !== listIds(plain.content))
    throw new Error(
      'With pseudonyms, the search text matches other orders, since it is searched for in codes, too. ' +
        'Clear it, or keep the codes.',
    );
  return { subject, address: disguiseAddress(plain.address, pseudonyms), content, answers };
}

/** Lists ids in a fixed order, because a list sorted by account has another order with pseudonyms. */
function listIds({ rows }: EvidenceContent): string {
  return JSON.stringify(rows.map((row) => (JSON.parse(row) as EvidenceRow).values['id']).sort());
}

function disguiseAddress(address: string, pseudonyms: Pseudonyms): string {
  const url = new URL(address, 'http://page');
  const pairs = [...url.searchParams].map(([name, value]) => `${name}=${encodeURIComponent(pseudonyms.inText(value))}`);
  return pairs.length === 0 ? url.pathname : `${url.pathname}?${pairs.join('&')}`;
}

function toNamedFailure(error: unknown, target: string | null): unknown {
  return error instanceof Error && target !== null
    ? new Error(`GET ${target}: ${error.message}`, { cause: error })
    : error;
}

/** The earliest time that a zip file can hold. With a fixed time, the same files always make the same zip. */
const NO_TIME = new Date(1980, 0, 1);
const BYTES_PER_PIECE = 1 << 18;

/** Compresses files into one zip, piece by piece, so that the page stays responsive. */
export async function zipFiles(files: readonly EvidenceFile[], pause: Pause): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  for (const { name, bytes } of files) {
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = NO_TIME;
    zip.add(entry);
    let at = 0;
    for (; at + BYTES_PER_PIECE < bytes.length; at += BYTES_PER_PIECE) {
      entry.push(bytes.subarray(at, at + BYTES_PER_PIECE));
      await pause();
    }
    entry.push(bytes.subarray(at), true);
  }
  zip.end();
  return join(pieces);
}

function join(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
