import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseContentCoding, matchesEntityTag } from '../representations.ts';
import { sendPlainError } from '../plain-error.ts';
import { securityHeaders } from '../security-headers.ts';
import { isRead } from '#server/core/is-read.ts';
import type { AppFile, AppFiles, Representation } from './app-files.ts';

/**
 * Serves the built app from memory. A path that looks like a screen gets the app's page, unless its first segment is
 * reserved for the API: there the page would pass for an API response.
 */
export function createStaticFiles(
  files: AppFiles,
  reserved: ReadonlySet<string>,
): (request: IncomingMessage, response: ServerResponse, path: string) => void {
  const isScreen = (path: string): boolean => {
    const first = (path.split('/')[1] ?? '').toLowerCase();
    return screenPath.test(path) && first !== ASSETS && !reserved.has(first);
  };
  return (request, response, path) => {
    if (!isRead(request)) {
      sendPlainError(response, 405, 'Only GET and HEAD are supported.', { allow: 'GET, HEAD', connection: 'close' });
      return;
    }
    // The path as sent: decoding it would only create a second name for the same file.
    const [withoutFragment = ''] = path.split('#', 1);
    const file = isScreen(withoutFragment) ? findPage(files, withoutFragment) : files.get(withoutFragment);
    if (file === undefined) sendPlainError(response, 404, 'Nothing found at this address.');
    else sendFile(request, response, file);
  };
}

const ASSETS = 'assets';
const screenPath = /^\/(?:[\w-]+(?:\/[\w-]+)*\/?)?$/;

/**
 * The page of a screen; else the parent's `one` page for any child; else the parent's page. All are the same app and
 * differ only in what they preload.
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
