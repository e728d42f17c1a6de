import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRead } from '#server/core/viewer.ts';
import {
  chooseContentCoding,
  type ContentCoding,
  contentCodings,
  entityTagOf,
  matchesEntityTag,
  securityHeaders,
} from './send-response.ts';
import { sendPlainError } from './error-responses.ts';

/** One file in one coding. */
interface Representation {
  readonly body: Buffer;
  readonly tag: string;
}

interface AppFile {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly codings: readonly ContentCoding[];
  readonly representations: Partial<Readonly<Record<ContentCoding, Representation>>>;
}

/** The built app by URL path. Requests only match paths in this map, so none leads out of the folder. */
export type AppFiles = ReadonlyMap<string, AppFile>;

/** The build writes these next to each file if they are smaller. */
const suffixes: Readonly<Record<ContentCoding, string>> = { br: '.br', gzip: '.gz', identity: '' };

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** The build derives these names from the content, so the file never changes. */
const hashedName = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/;

function isHashed(name: string): boolean {
  return hashedName.test(name);
}

/**
 * Reads the whole built app into memory, so that a new build in its folder cannot remove a file from an open page.
 * Returns undefined if there is no build.
 */
export function readAppFiles(folder: string): AppFiles | undefined {
  const names = namesBelow(folder);
  if (!names.has('/index.html')) return undefined;
  const files = [...names].filter((name) => !isCompressedForm(name, names));
  return new Map(files.map((name) => [name, readAppFile(folder, name, names)]));
}

function namesBelow(folder: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const names = entries.map(
      (entry) => `/${relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')}`,
    );
    return new Set(names.filter((name) => !name.includes('/.')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Set();
    throw error;
  }
}

function isCompressedForm(name: string, names: ReadonlySet<string>): boolean {
  return [suffixes.br, suffixes.gzip].some(
    (suffix) => name.endsWith(suffix) && names.has(name.slice(0, -suffix.length)),
  );
}

function readAppFile(folder: string, name: string, names: ReadonlySet<string>): AppFile {
  const codings = contentCodings.filter((coding) => names.has(name + suffixes[coding]));
  const bodies = codings.map((coding) => [coding, readFileSync(join(folder, name + suffixes[coding]))] as const);
  return toAppFile(name, Object.fromEntries(bodies));
}

function toAppFile(name: string, bodies: Partial<Readonly<Record<ContentCoding, Buffer>>>): AppFile {
  return {
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    cacheControl: isHashed(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    codings: contentCodings.filter((coding) => bodies[coding] !== undefined),
    representations: Object.fromEntries(
      Object.entries(bodies).map(([coding, body]) => [coding, { body, tag: entityTagOf(body) }]),
    ),
  };
}

/**
 * Serves the built app from memory, and of files whose name follows from their content also others, which another version
 * has. A path that looks like a screen gets the app’s page, unless its first segment is
 * reserved for the API, where the page would pass for an API response.
 */
export function createStaticFiles(
  files: AppFiles,
  reserved: ReadonlySet<string>,
  findElsewhere: (path: string) => Promise<Uint8Array | undefined>,
): (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void> {
  const isScreen = (path: string): boolean => {
    const first = (path.split('/')[1] ?? '').toLowerCase();
    return screenPath.test(path) && first !== ASSETS && !reserved.has(first);
  };
  const findOther = async (path: string): Promise<AppFile | undefined> => {
    const body = isHashed(path) ? await findElsewhere(path) : undefined;
    return body && toAppFile(path, { identity: Buffer.from(body) });
  };
  return async (request, response, path) => {
    if (!isRead(request)) {
      sendPlainError(response, 405, 'Only GET and HEAD are supported.', { allow: 'GET, HEAD', connection: 'close' });
      return;
    }
    // The path as sent: decoding it would only create a second name for the same file.
    const [withoutFragment = ''] = path.split('#', 1);
    const file = isScreen(withoutFragment)
      ? findPage(files, withoutFragment)
      : (files.get(withoutFragment) ?? (await findOther(withoutFragment)));
    if (file === undefined) sendPlainError(response, 404, 'Nothing found at this address.');
    else sendFile(request, response, file);
  };
}

const ASSETS = 'assets';
const screenPath = /^\/(?:[\w-]+(?:\/[\w-]+)*\/?)?$/;

/** Returns the files whose name follows from their content, without their compressed forms. */
export function hashedFilesOf(files: AppFiles): ReadonlyMap<string, Buffer> {
  return new Map(
    [...files].flatMap(([name, { representations }]) =>
      isHashed(name) && representations.identity !== undefined ? [[name, representations.identity.body] as const] : [],
    ),
  );
}

/**
 * Finds the page of a screen; else the parent’s `one` page for any child; else the parent’s page. All are the same app
 * and differ only in what they preload.
 */
function findPage(files: AppFiles, path: string): AppFile | undefined {
  const end = path.lastIndexOf('/');
  if (end === -1) return files.get('/index.html');
  const parent = path.slice(0, end);
  return files.get(`${path}.html`) ?? files.get(`${parent}/one.html`) ?? findPage(files, parent);
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: AppFile): void {
  const coding = chooseContentCoding(request.headers['accept-encoding'], file.codings);
  const representation = file.representations[coding];
  if (representation === undefined) throw new Error(`The build has no ${coding} form of a file that lists it.`);
  const headers = {
    ...securityHeaders,
    'cache-control': file.cacheControl,
    'etag': representation.tag,
    ...(file.codings.length > 1 && { vary: 'accept-encoding' }),
  };
  if (matchesEntityTag(request.headers['if-none-match'], representation.tag)) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, { ...headers, ...contentHeaders(file, representation, coding) });
  response.end(representation.body);
}

function contentHeaders(file: AppFile, { body }: Representation, coding: string): Record<string, string | number> {
  return {
    'content-type': file.contentType,
    'content-length': body.byteLength,
    ...(coding !== 'identity' && { 'content-encoding': coding }),
  };
}
