import { createApi, type Api } from '#page/client/create-api.ts';
import { createHttpClient, type HttpClientParts } from '#page/client/http-client.ts';
import { createRecorder } from '#page/client/recorded/recorder.ts';
import { createReplay } from '#page/client/recorded/replay.ts';
import type { Answer, EvidenceContent, EvidenceRow, EvidenceSubject } from '#model/evidence/evidence.ts';
import { toEvidenceFiles, type EvidenceFile, type Hash } from '#model/evidence/evidence-files.ts';
import type { EvidenceOrigin } from '#model/evidence/manifest.ts';
import { createPseudonyms, disguiseAnswers, type Pseudonyms } from '#model/evidence/pseudonyms.ts';
import type { Pause } from './evidence-rows.ts';

/** How a screen makes evidence: what it asks for and computes depends on subject and answers alone. */
export interface EvidenceReader<Subject extends EvidenceSubject> {
  readonly read: (api: Api, subject: Subject, pause: Pause) => Promise<EvidenceContent>;
  /** The subject with pseudonyms in place of codes; absent where it names none. */
  readonly disguise?: (subject: Subject, pseudonyms: Pseudonyms) => Subject;
}

interface MakeParts<Subject extends EvidenceSubject> extends HttpClientParts {
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

/** Reads what the rows depend on, computes them, and puts all of it into files. Throws a sentence that names the read that failed. */
export async function makeEvidence<Subject extends EvidenceSubject>(parts: MakeParts<Subject>): Promise<MadeEvidence> {
  const { reader, origin, hash, pause, now, signal } = parts;
  const recorder = createRecorder(parts);
  try {
    const plain = {
      subject: origin.subject,
      address: origin.address,
      content: await reader.read(createApi(recorder.http), origin.subject, pause),
      answers: recorder.answers(),
    };
    signal.throwIfAborted();
    const written = origin.pseudonyms ? await disguise(parts, plain) : plain;
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

/** Everything is computed again from the disguised answers, so that no code can be left in a figure or a sentence. */
async function disguise<Subject extends EvidenceSubject>(
  { reader, pause, fetch, now, timeout }: MakeParts<Subject>,
  plain: Computed<Subject>,
): Promise<Computed<Subject>> {
  const { value } = await createApi(createHttpClient({ fetch, now, timeout })).desk.aliases({});
  const pseudonyms = createPseudonyms(value.aliases);
  const answers = disguiseAnswers(plain.answers, pseudonyms);
  const subject = reader.disguise?.(plain.subject, pseudonyms) ?? plain.subject;
  const content = await reader.read(createApi(createReplay(answers).http), subject, pause);
  if (listIds(content) !== listIds(plain.content))
    throw new Error(
      'With pseudonyms, the search text matches other orders, since it is searched for in codes, too. Clear it, or keep the codes.',
    );
  return { subject, address: disguiseAddress(plain.address, pseudonyms), content, answers };
}

/** In any order: sorted by account, pseudonyms come in another. */
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
