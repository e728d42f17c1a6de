import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppFile, AppFiles, Representation } from './app-files.ts';
import { chooseContentCoding } from './content-coding.ts';
import { isHeldByClient } from './entity-tag.ts';
import type { Handler } from './handler.ts';
import { refuse } from './refusal.ts';
import { securityHeaders } from './security-headers.ts';

/** Serves the built app from memory; a path that looks like a screen gets the page, which knows its screens itself. */
export function createStaticFiles(files: AppFiles): Handler {
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuse(response, 405, 'Only GET and HEAD are answered here.', { allow: 'GET, HEAD', connection: 'close' });
      return undefined;
    }
    const file = findFile(files, pathOf(request.url ?? ''));
    if (file === undefined) refuse(response, 404, 'There is nothing at this address.');
    else sendFile(request, response, file);
    return undefined;
  };
}

/** The path as it was sent: decoding it could only make a second name for the same thing. */
function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}

function findFile(files: AppFiles, path: string): AppFile | undefined {
  return isScreen(path) ? findPage(files, path) : files.get(path);
}

/**
 * A screen's own page; else what the screen it lies below has for any `one`, else that screen's page: all are the same app and
 * differ only in what they fetch ahead.
 */
function findPage(files: AppFiles, path: string): AppFile | undefined {
  const end = path.lastIndexOf('/');
  if (end === -1) return files.get('/index.html');
  const above = path.slice(0, end);
  return files.get(`${path}.html`) ?? files.get(`${above}/one.html`) ?? findPage(files, above);
}

const screenPath = /^\/(?:[\w-]+(?:\/[\w-]+)*\/?)?$/;

/** First segments that are never a screen. Answering one with the page would pass for an answer of the interface. */
const reserved = new Set(['api', 'assets', 'healthz', 'metrics', 'readyz']);

function isScreen(path: string): boolean {
  return screenPath.test(path) && !reserved.has((path.split('/')[1] ?? '').toLowerCase());
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: AppFile): void {
  const coding = chooseContentCoding(request.headers['accept-encoding'], file.codings);
  const representation = file.representations[coding];
  if (representation === undefined) throw new Error(`The build has no ${coding} form of a file that lists it.`);
  const headers = {
    ...securityHeaders,
    'cache-control': file.cacheControl,
    etag: representation.tag,
    ...(file.codings.length > 1 && { vary: 'accept-encoding' }),
  };
  if (isHeldByClient(request.headers['if-none-match'], representation.tag)) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, { ...headers, ...describe(file, representation, coding) });
  response.end(representation.body);
}

function describe(file: AppFile, { body }: Representation, coding: string): Record<string, string | number> {
  return {
    'content-type': file.contentType,
    'content-length': body.byteLength,
    ...(coding !== 'identity' && { 'content-encoding': coding }),
  };
}
