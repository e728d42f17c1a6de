import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Body } from '#server/core/body.ts';

/** Which form of a body a client gets, and whether it has that form already. */

/** The supported codings, best first: of two that a client weighs equally, the earlier one is sent. */
export const contentCodings = ['br', 'gzip', 'identity'] as const;

export type ContentCoding = (typeof contentCodings)[number];

/**
 * The coding to send (RFC 9110, 12.5.3). `identity` is always available, and is sent if the client accepts none of the
 * others: a response it can reject is more useful than none.
 */
export function chooseContentCoding(header: string | undefined, available: readonly ContentCoding[]): ContentCoding {
  if (header === undefined) return 'identity';
  const weights = parseWeights(header);
  let best: ContentCoding = 'identity';
  let bestWeight = 0;
  for (const coding of contentCodings) {
    const weight = weightOf(coding, weights);
    if (weight <= bestWeight || !available.includes(coding)) continue;
    best = coding;
    bestWeight = weight;
  }
  return best;
}

/** `identity` is acceptable even if the client does not name it, but only after everything it does name. */
const unnamedIdentityWeight = 0.0001;

function weightOf(coding: ContentCoding, weights: ReadonlyMap<string, number>): number {
  const named = weights.get(coding) ?? (coding === 'gzip' ? weights.get('x-gzip') : undefined);
  if (named !== undefined) return named;
  return weights.get('*') ?? (coding === 'identity' ? unnamedIdentityWeight : 0);
}

function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
    if (coding !== '') weights.set(coding, parseWeight(parameters));
  }
  return weights;
}

const weightPattern = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** An unreadable weight rejects the coding: every client understands the plain form. */
function parseWeight(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  if (weight === undefined) return 1;
  return Number(weightPattern.exec(weight)?.[1] ?? 0);
}

type Compress = (bytes: Buffer, coding: Exclude<ContentCoding, 'identity'>) => Promise<Buffer>;

/** Below this, compression costs more than the bytes it saves. */
const MIN_COMPRESSED_BYTES = 1_024;
/** As small as gzip's best in a third of its time: responses live for seconds. */
const BROTLI_QUALITY = 4;
/** From this size on, a tenth fewer bytes to every client are worth half as much time again, once. */
const LARGE_BYTES = 256 * 1_024;
const BROTLI_QUALITY_OF_LARGE = 6;

/** The coding for a body of this size, given the one the client prefers. */
export function codingFor(byteLength: number, preferred: ContentCoding): ContentCoding {
  return byteLength < MIN_COMPRESSED_BYTES ? 'identity' : preferred;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const compress: Compress = (bytes, coding) => {
  if (coding === 'gzip') return compressGzip(bytes);
  const quality = bytes.byteLength < LARGE_BYTES ? BROTLI_QUALITY : BROTLI_QUALITY_OF_LARGE;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength };
  return compressBrotli(bytes, { params });
};

/**
 * Compresses a body once for all clients, as long as it is requested again. Equal tags mean equal bytes. Two generations:
 * when the young one fills half of `maxBytes` it becomes the old one, and the former old one is dropped.
 */
export function createCompressor(
  maxBytes: number,
  compressBytes = compress,
): (body: Body, tag: string, coding: Exclude<ContentCoding, 'identity'>) => Promise<Buffer> {
  let young = createGeneration();
  let old = createGeneration();
  return (body, tag, coding) => {
    const key = `${coding} ${tag}`;
    const known = young.forms.get(key);
    if (known !== undefined) return known;
    const form = old.forms.get(key) ?? compressBytes(body.whole(), coding);
    const generation = young;
    generation.forms.set(key, form);
    form.then(
      ({ byteLength }) => {
        generation.bytes += byteLength;
        if (generation === young && generation.bytes > maxBytes / 2) [old, young] = [young, createGeneration()];
      },
      () => generation.forms.delete(key),
    );
    return form;
  };
}

function createGeneration() {
  return { forms: new Map<string, Promise<Buffer>>(), bytes: 0 };
}

/** A strong tag: equal tags mean equal bytes, so each coding of a file has its own. */
export function entityTagOf(bytes: Uint8Array): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
}

/** The tag of one coding of a body: each is another representation, so that strong tags differ. */
export function tagOfCoding(tag: string, coding: ContentCoding): string {
  return coding === 'identity' || isWeak(tag) ? tag : `${tag.slice(0, -1)}.${coding}"`;
}

/** Whether the client already has this response: If-None-Match by weak comparison (RFC 9110, 13.1.2). */
export function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((held) => toStrong(held.trim()) === toStrong(tag));
}

function isWeak(tag: string): boolean {
  return tag.startsWith('W/');
}

function toStrong(tag: string): string {
  return isWeak(tag) ? tag.slice(2) : tag;
}
