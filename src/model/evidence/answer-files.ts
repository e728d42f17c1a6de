import type { Answer, Json } from './evidence.ts';
import { isObject } from './manifest.ts';

/** The body, `answers/001.json`, and where it is from, `answers/001.meta.json`. */
interface AnswerNames {
  readonly body: string;
  readonly meta: string;
}

/** By the place of an answer, from 0. What is no JSON is not named so. */
export function nameAnswer(place: number, { headers }: Pick<Answer, 'headers'>): AnswerNames {
  const stem = `answers/${String(place + 1).padStart(3, '0')}`;
  return {
    body: `${stem}.${headers['content-type']?.includes('json') === true ? 'json' : 'txt'}`,
    meta: `${stem}.meta.json`,
  };
}

export const META_NAME = /^answers\/\d{3,}\.meta\.json$/;

export function formatMeta(answer: Answer, body: string): string {
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

/** Throws a sentence that says what is wrong with it. */
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
