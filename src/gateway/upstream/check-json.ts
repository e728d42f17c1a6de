import { single, type Headers } from './answer-headers.ts';
import type { Body } from '../body.ts';
import { unreadable } from './broken-answer.ts';
import { printable } from './printable.ts';

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const PAIRS: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** JSON by its type and by its first and last bytes. Its shape is judged where it is shown. */
export function checkJson(body: Body, headers: Headers): string {
  const type = single(headers, 'content-type') ?? '';
  if (!JSON_TYPE.test(type)) throw unreadable(`is not JSON but ${type === '' ? 'of no type' : printable(type)}`);
  if (body.byteLength === 0) throw unreadable('is empty');
  const [first, last] = ends(body);
  const expected = PAIRS[first];
  if (expected === undefined) throw unreadable('is not JSON, though it says so');
  if (expected !== last || !(hasLength(headers) || isWholeText(body))) throw unreadable('is cut: its JSON does not end as it began');
  return 'application/json';
}

/** Without a length, an answer ends where the connection does, whoever ended it. */
function hasLength(headers: Headers): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** The beginning of a JSON text is none: one that can be read to its end was not cut. */
function isWholeText(body: Body): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}

const EDGE = 64;

function ends({ pieces }: Body): readonly [string, string] {
  return [headOf(pieces).trimStart().charAt(0), tailOf(pieces).trimEnd().at(-1) ?? ''];
}

function headOf(pieces: readonly Buffer[]): string {
  let head = '';
  for (const piece of pieces) {
    head += piece.toString('latin1', 0, EDGE);
    if (head.length >= EDGE) break;
  }
  return head;
}

function tailOf(pieces: readonly Buffer[]): string {
  let tail = '';
  for (const piece of pieces.toReversed()) {
    tail = piece.subarray(-EDGE).toString('latin1') + tail;
    if (tail.length >= EDGE) break;
  }
  return tail;
}
