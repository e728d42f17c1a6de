import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { contentCodings, entityTagOf, type ContentCoding } from '../representations.ts';

/** One file in one coding. */
export interface Representation {
  readonly body: Buffer;
  readonly tag: string;
}

export interface AppFile {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly codings: readonly ContentCoding[];
  readonly representations: Partial<Readonly<Record<ContentCoding, Representation>>>;
}

/** The built app by URL path. Requests only match paths in this map, so none leads out of the folder. */
export type AppFiles = ReadonlyMap<string, AppFile>;

/** The build writes these beside each file, if smaller than the file itself. */
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

/**
 * Reads the whole built app into memory, so that a build that replaces its folder cannot take a file from a page that is
 * open; undefined when there is no build.
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
  return {
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    cacheControl: hashedName.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    codings,
    representations: Object.fromEntries(
      codings.map((coding) => [coding, readRepresentation(folder, name + suffixes[coding])]),
    ),
  };
}

function readRepresentation(folder: string, name: string): Representation {
  const body = readFileSync(join(folder, name));
  return { body, tag: entityTagOf(body) };
}
