import { zipSync, type Zippable } from 'fflate';
import { describe, expect, it } from 'vitest';
import { checkEvidence } from './check-evidence.ts';
import { LIMITS, readZip } from './read-zip.ts';

const one = new Uint8Array([1]);

/** Replaces every occurrence of a name by another of the same length. */
function rename(zip: Uint8Array, from: string, to: string, onlyLast = false): Uint8Array {
  const copy = Buffer.from(zip);
  for (
    let at = onlyLast ? copy.lastIndexOf(from) : copy.indexOf(from);
    at >= 0;
    at = onlyLast ? -1 : copy.indexOf(from, at + 1)
  )
    copy.write(to, at, 'latin1');
  return copy;
}

/** Returns the size that the list of files declares for the first one. */
function declare(zip: Uint8Array, bytes: number): Uint8Array {
  const copy = Buffer.from(zip);
  copy.writeUInt32LE(bytes, copy.indexOf(Buffer.from('504b0102', 'hex')) + 24);
  return copy;
}

describe('a hostile zip is not read', () => {
  it.each([
    ['../evil.txt', '..x'],
    ['/etc/evil.txt', 'abs'],
    ['answers/../../x.txt', 'deep'],
    ['C:/windows.txt', 'drive'],
    ['answers\\001.json', 'backslash'],
    ['answers/', 'a folder'],
    ['.bashrc', 'hidden'],
  ])('with the name %s', async (name) => {
    await expect(readZip(zipSync({ [name]: one }))).rejects.toThrow();
  });

  it('with two files of one name', async () => {
    const zip = rename(zipSync({ 'rows.csv': one, 'rows.cs2': one }), 'rows.cs2', 'rows.csv');
    await expect(readZip(zip)).rejects.toThrow('It has two files with the name rows.csv.');
  });

  it('with another name before its content than in the list', async () => {
    const zip = rename(zipSync({ 'rows.csv': one }), 'rows.csv', 'rows.cs2', true);
    await expect(readZip(zip)).rejects.toThrow('rows.cs2 has another name before its content');
  });

  it('with too many files', async () => {
    const many: Zippable = Object.fromEntries(
      Array.from({ length: LIMITS.entries + 1 }, (_, place) => [`f${String(place)}.txt`, one]),
    );
    await expect(readZip(zipSync(many))).rejects.toThrow(`It has more than ${String(LIMITS.entries)} files.`);
  });

  it('that unpacks to more than the limit, before anything is unpacked', async () => {
    await expect(readZip(declare(zipSync({ 'rows.csv': one }), LIMITS.bytes + 1))).rejects.toThrow(
      'Unpacked, it is larger than 256 MB.',
    );
  });

  it('whose file is longer than it declares', async () => {
    const bomb = zipSync({ 'rows.csv': new Uint8Array(1 << 22) });
    expect(bomb.length).toBeLessThan(10_000);
    await expect(readZip(declare(bomb, 10))).rejects.toThrow(/too many bytes/);
  });

  it('that is none, or is cut off', async () => {
    await expect(readZip(new Uint8Array(100))).rejects.toThrow();
    const zip = zipSync({ 'rows.csv': one });
    for (let length = 0; length < zip.length; length += 7)
      await expect(readZip(zip.slice(0, length))).rejects.toThrow();
  });

  it('and the check says so in one sentence', async () => {
    expect(await checkEvidence(zipSync({ 'rows.csv': one }))).toEqual([
      { holds: false, sentence: 'manifest.json is missing: this is no evidence file.' },
    ]);
    expect(await checkEvidence(new Uint8Array(LIMITS.zipBytes + 1))).toEqual([
      { holds: false, sentence: 'The file is larger than 128 MB.' },
    ]);
  });
});
