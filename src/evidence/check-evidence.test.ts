import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EvidenceFile } from '#model/evidence/evidence-files.ts';
import { makeEvidence, zipFiles } from '#page/panels/evidence/make-evidence.ts';
import { fetchSample } from '#testing/evidence-answers.ts';
import { workingReader, type WorkingSubject } from '#page/panels/evidence/read-orders.ts';
import { checkEvidence } from './check-evidence.ts';

const pause = (): Promise<void> => Promise.resolve();
const SUBJECT: WorkingSubject = {
  screen: 'orders',
  filters: {},
  quick: '',
  columns: ['side', 'account', 'price'],
  zone: 'utc',
  narrow: false,
  venue_ahead_ms: 0,
  sorts: [],
  grouping: [],
};

async function make(over: Partial<WorkingSubject> = {}, pseudonyms = false): Promise<readonly EvidenceFile[]> {
  const origin = {
    title: 'Working orders',
    address: '/orders?q=HALC-101',
    subject: { ...SUBJECT, ...over },
    pseudonyms,
    versions: { page: 'p', desk: 'd' },
    exchange: { name: 'n', env: 'sandbox', base_url: 'http://x' },
  };
  const parts = {
    origin,
    reader: workingReader,
    pause,
    fetch: fetchSample,
    now: () => 1_787_010_400_000,
    timeout: () => new AbortController().signal,
    signal: new AbortController().signal,
    hash: (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex'),
  };
  return (await makeEvidence(parts)).files;
}

async function listFailures(files: readonly EvidenceFile[]): Promise<readonly string[]> {
  return (await checkEvidence(await zipFiles(files, pause))).flatMap(({ holds, sentence }) =>
    holds ? [] : [sentence],
  );
}

function toText(files: readonly EvidenceFile[], name: string): string {
  return new TextDecoder().decode(files.find((file) => file.name === name)?.bytes);
}

function change(files: readonly EvidenceFile[], name: string, edit: (text: string) => string): readonly EvidenceFile[] {
  return files.map((file) =>
    file.name === name ? { name, bytes: new TextEncoder().encode(edit(toText(files, name))) } : file,
  );
}

describe('the check of evidence', () => {
  let files: readonly EvidenceFile[];
  beforeAll(async () => {
    files = await make();
  });

  it('finds that all holds in what was made, and the same parts make the same zip', async () => {
    expect(await listFailures(files)).toEqual([]);
    expect(await zipFiles(await make(), pause)).toEqual(await zipFiles(files, pause));
    expect(toText(files, 'rows.csv').split('\r\n')).toHaveLength(4);
    expect(JSON.parse(toText(files, 'proof.json'))).toMatchObject({
      complete: true,
      parts: [
        { reported: 1, counted: 1 },
        { reported: 1, counted: 1 },
      ],
    });
  });

  it('finds any byte that changed in any file', async () => {
    const place = fc.record({
      file: fc.nat(files.length - 1),
      at: fc.nat(1 << 24),
      by: fc.integer({ min: 1, max: 255 }),
    });
    await fc.assert(
      fc.asyncProperty(place, async ({ file, at, by }) => {
        const changed = files.map(({ name, bytes }, index) => {
          if (index !== file) return { name, bytes };
          const copy = bytes.slice();
          copy[at % copy.length] = ((copy[at % copy.length] ?? 0) + by) % 256;
          return { name, bytes: copy };
        });
        expect(await listFailures(changed)).not.toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('finds any file that is missing, and any that was added', async () => {
    for (const { name } of files)
      expect(await listFailures(files.filter((file) => file.name !== name)), name).not.toEqual([]);
    expect(await listFailures([...files, { name: 'more.txt', bytes: new Uint8Array([1]) }])).toContain(
      'more.txt is not in the manifest.',
    );
  });

  it('finds a part that reports more orders than it has, although all sums were made to fit', async () => {
    const answers = change(files, 'answers/001.json', (text) => text.replace('"count": 1', '"count": 2'));
    expect(await listFailures(answers)).toContainEqual(
      expect.stringMatching(/^The proof .* does not follow from the answers\. Line \d+/),
    );
  });

  it('names a screen that it does not know, and a subject that is none', async () => {
    const renamed = change(files, 'manifest.json', (text) =>
      text.replace('"screen": "orders"', '"screen": "constructor"'),
    );
    expect(await listFailures(renamed)).toContainEqual(expect.stringContaining('knows no screen “constructor”'));
    const empty = change(files, 'manifest.json', (text) => text.replace('"filters": {}', '"filters": 5'));
    expect(await listFailures(empty)).not.toEqual([]);
    expect(await listFailures(change(files, 'manifest.json', () => '[]'))).toEqual([
      'manifest.json cannot be read. It is no object.',
    ]);
  });

  it.each([
    [{}, 2],
    [{ filters: { account: { kind: 'has', text: 'c-101' } } }, 1],
    [{ filters: { account: { kind: 'is', texts: ['HALC-102'] } } }, 1],
  ] as const)('holds with pseudonyms, without a code or a hash of one: %j', async (over, rows) => {
    const disguised = await make(over, true);
    expect(await listFailures(disguised)).toEqual([]);
    expect(JSON.parse(toText(disguised, 'rows.json'))).toMatchObject({ rows: { length: rows } });
    const whole = disguised.map(({ name }) => toText(disguised, name)).join('\n');
    expect(['HALC-', 'HOST', '3f7a', 'of-the-text'].filter((code) => whole.includes(code))).toEqual([]);
    expect(toText(disguised, 'manifest.json')).toContain('"address": "/orders?q=a-one"');
  });

  it('is not made with pseudonyms where a search would find other orders by them', async () => {
    await expect(make({ quick: '101' }, true)).rejects.toThrow('With pseudonyms, the search text matches other orders');
    expect(await listFailures(await make({ quick: '101' }))).toEqual([]);
  });
});
