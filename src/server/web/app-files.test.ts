import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAppFiles } from './app-files.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perpdesk-app-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function build(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `content of ${name}`);
  }
}

function read(name: string) {
  return readAppFiles(folder)?.get(name);
}

describe('a built app', () => {
  it('does not exist without a folder or without a page in it', () => {
    expect(readAppFiles(join(folder, 'missing'))).toBeUndefined();
    build('assets/index-AbCd1234.js');
    expect(readAppFiles(folder)).toBeUndefined();
  });

  it('contains the files of its folder, by address', () => {
    build('index.html', 'favicon.svg', 'assets/index-AbCd1234.js');
    expect([...(readAppFiles(folder)?.keys() ?? [])].sort()).toEqual([
      '/assets/index-AbCd1234.js',
      '/favicon.svg',
      '/index.html',
    ]);
  });

  it('leaves out hidden files', () => {
    build('index.html', '.inputs', '.git/config', 'assets/.cache');
    expect([...(readAppFiles(folder)?.keys() ?? [])]).toEqual(['/index.html']);
  });

  it('treats compressed files as forms of their original, each with its own tag', () => {
    build('index.html', 'index.html.br', 'index.html.gz');
    expect(read('/index.html.br')).toBeUndefined();
    const { codings = [], representations = {} } = read('/index.html') ?? {};
    expect(codings).toEqual(['br', 'gzip', 'identity']);
    expect(representations.gzip?.body.toString()).toBe('content of index.html.gz');
    expect(new Set(codings.map((coding) => representations[coding]?.tag)).size).toBe(3);
  });

  it('treats an archive without an original as a file', () => {
    build('index.html', 'history.gz');
    expect(read('/history.gz')?.codings).toEqual(['identity']);
  });

  it.each([
    ['index.html', 'text/html; charset=utf-8'],
    ['assets/a.js', 'text/javascript; charset=utf-8'],
    ['assets/a.css', 'text/css; charset=utf-8'],
    ['assets/a.woff2', 'font/woff2'],
    ['a.svg', 'image/svg+xml'],
    ['a.json', 'application/json'],
    ['a.unknown', 'application/octet-stream'],
  ])('sends %s as %s', (name, contentType) => {
    build('index.html', name);
    expect(read(`/${name}`)?.contentType).toBe(contentType);
  });

  it('marks only files with a hash in their name as immutable', () => {
    const names = ['index.html', 'favicon.svg', 'assets/plain.js', 'index-AbCd1234.js', 'assets/index-A_-d1234.js'];
    build(...names);
    const kept = names.filter((name) => read(`/${name}`)?.cacheControl.includes('immutable') === true);
    expect(kept).toEqual(['assets/index-A_-d1234.js']);
    expect(read('/index.html')?.cacheControl).toBe('no-cache');
  });
});
