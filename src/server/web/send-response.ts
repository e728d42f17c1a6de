import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '#contract/desk/desk.ts';
import type { Endpoint } from '#contract/exchange/endpoints.ts';
import { type Body, createBody } from '#server/core/body.ts';
import type { Provenance } from '#server/core/ports.ts';

/** Our pages may only load from and connect to their own origin. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const unusedFeatures = [
  'camera',
  'display-capture',
  'geolocation',
  'hid',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
];

/** Sent with every response, errors included. */
export const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** Chooses the form of a body that a client gets, and recognises a form that the client already has. */

/** The supported codings, best first: of two that a client weighs equally, the earlier one is sent. */
export const contentCodings = ['br', 'gzip', 'identity'] as const;

export type ContentCoding = (typeof contentCodings)[number];

/**
 * Returns the coding to send (RFC 9110, 12.5.3). `identity` is always available, and is sent even if the client accepts
 * no coding: a response it can reject is more useful than none.
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

/** Returns 0, which rejects the coding, if the weight is unreadable: every client understands the plain form. */
function parseWeight(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  if (weight === undefined) return 1;
  return Number(weightPattern.exec(weight)?.[1] ?? 0);
}

type Compress = (bytes: Buffer, coding: Exclude<ContentCoding, 'identity'>) => Promise<Buffer>;

/** Below this, compression costs more than the bytes it saves. */
const MIN_COMPRESSED_BYTES = 1_024;
/** As small as gzip’s best in a third of its time: responses live for seconds. */
const BROTLI_QUALITY = 4;
/** From this size on, saving a tenth of the bytes for every client is worth half as much time again, once. */
const LARGE_BYTES = 256 * 1_024;
const BROTLI_QUALITY_OF_LARGE = 6;

/** Returns the coding for a body of this size, given the one the client prefers. */
function codingFor(byteLength: number, preferred: ContentCoding): ContentCoding {
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
 * Compresses a body once for all clients, as long as it is requested again. Equal tags mean equal bytes. Has two
 * generations: when the young one fills half of `maxBytes`, it becomes the old one, and the former old one is dropped.
 *
 * @internal Exported for its test.
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

/** Returns a strong tag: equal tags mean equal bytes, so each coding of a file has its own. */
export function entityTagOf(bytes: Uint8Array): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
}

/** Returns the tag of one coding of a body: each is another representation, so strong tags differ. */
function tagOfCoding(tag: string, coding: ContentCoding): string {
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

interface ToSend {
  readonly status?: number;
  readonly type: string;
  readonly body: Body;
  /** The tag of the uncompressed body. */
  readonly tag: string;
  readonly requestId: string;
  readonly access: Endpoint['access'];
  /** More headers, as alternating names and values, which are also sent with 304. */
  readonly headers?: readonly string[];
}

/** Sends a response, or 304 if the client has it. Returns the status, for the log. */
export type SendResponse = (request: IncomingMessage, response: ServerResponse, toSend: ToSend) => Promise<number>;

/**
 * What a browser may do with a response. It revalidates public ones each time, so that it never shows older data than
 * Perpdesk has. It must not store signed ones: a page keeps them in memory and sends their tags itself.
 */
const CACHE_CONTROL = { public: 'private, no-cache', signed: 'private, no-store' } as const;

/** Alternating names and values, which Node writes unchanged. */
const ALWAYS = [...Object.entries(securityHeaders).flat(), 'vary', 'accept-encoding'];

/** Enough for the compressed forms of all that screens request repeatedly. */
const COMPRESSED_BYTES = 16 * 1_024 * 1_024;

export function createSender(compressOnce = createCompressor(COMPRESSED_BYTES)): SendResponse {
  return async (request, response, { status = 200, type, body, tag, requestId, access, headers: more = [] }) => {
    const coding = codingFor(body.byteLength, chooseContentCoding(request.headers['accept-encoding'], contentCodings));
    const tagOfForm = tagOfCoding(tag, coding);
    const headers = ALWAYS.concat('cache-control', CACHE_CONTROL[access], 'etag', tagOfForm);
    headers.push(REQUEST_ID_HEADER, requestId, ...more);
    if (status === 200 && matchesEntityTag(request.headers['if-none-match'], tagOfForm)) {
      response.writeHead(304, headers).end();
      return 304;
    }
    const form = coding === 'identity' ? body : createBody([await compressOnce(body, tag, coding)]);
    headers.push('content-type', type, 'content-length', String(form.byteLength));
    if (coding !== 'identity') headers.push('content-encoding', coding);
    response.writeHead(status, headers);
    end(response, request.method === 'HEAD' ? [] : form.pieces);
    return status;
  };
}

/** Writes all pieces in one go, of which the system takes as much as it can. */
function end(response: ServerResponse, pieces: readonly Buffer[]): void {
  const [first, ...others] = pieces;
  if (others.length === 0) {
    response.end(first);
    return;
  }
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.end();
}

/** Returns the body of a text that Perpdesk composed. Its tag is weak, because its codings are only equivalent. */
export function toTextBody(text: string): Pick<ToSend, 'body' | 'tag'> {
  const bytes = Buffer.from(text);
  return { body: createBody([bytes]), tag: `W/${entityTagOf(bytes)}` };
}

/** Returns headers with the age of the data and how they were served. */
export function provenanceHeaders(provenance: Provenance, now: number): readonly string[] {
  return ['age', formatAge(provenance.respondedAt, now), 'cache-status', formatCacheStatus(provenance)];
}

export function formatAge(respondedAt: number, now: number): string {
  return String(Math.max(0, Math.floor((now - respondedAt) / 1_000)));
}

/**
 * Formats a Cache-Status (RFC 9211): `perpdesk; hit; ttl=12`. A negative ttl marks a stale response, and the detail
 * says why it was served.
 */
export function formatCacheStatus({
  outcome,
  freshSeconds,
  staleBecause,
}: Pick<Provenance, 'outcome' | 'freshSeconds' | 'staleBecause'>): string {
  const ttl = `ttl=${String(Math.floor(freshSeconds))}`;
  switch (outcome) {
    case 'hit':
      return `perpdesk; hit; ${ttl}`;
    case 'disk-hit':
      return 'perpdesk; hit; detail=disk';
    case 'coalesced':
      return `perpdesk; fwd=miss; collapsed; ${ttl}`;
    case 'miss':
      return `perpdesk; fwd=miss; stored; ${ttl}`;
    case 'stale':
      return `perpdesk; hit; ${ttl}; detail=${staleBecause?.type ?? 'stale'}`;
  }
}
