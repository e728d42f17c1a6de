import { single, type Headers } from './response-headers.ts';
import type { Body } from '#server/core/body.ts';
import { unreadable } from './response-failures.ts';
import { toPrintable } from '#server/core/printable.ts';

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const PAIRS: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** Checks the content type and the first and last bytes. The schema is checked where the data is shown. */
export function checkJson(body: Body, headers: Headers): string {
  const type = single(headers, 'content-type') ?? '';
  if (!JSON_TYPE.test(type))
    throw unreadable(`is not JSON: its content type is ${type === '' ? 'missing' : toPrintable(type)}`);
  if (body.byteLength === 0) throw unreadable('is empty');
  const [first, last] = ends(body);
  const expected = PAIRS[first];
  if (expected === undefined) throw unreadable('claims to be JSON but is not');
  if (expected !== last || !(hasLength(headers) || isWholeText(body)))
    throw unreadable('is truncated: its JSON is incomplete');
  return 'application/json';
}

/** Without a length, a response ends with the connection, whoever closed it. */
function hasLength(headers: Headers): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** A truncated JSON text never parses. */
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
