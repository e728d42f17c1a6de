import { expect, describe, it } from 'vitest';
import { openSharedFiles } from '#server/store/shared-files.ts';
import { createFakeClock } from '../fake-clock.ts';
import { openShared } from './lease-suite.ts';
import type { NewLocation } from './store-location.ts';

const [BEFORE, AFTER, SAME] = ['/assets/page-before00.js', '/assets/page-after000.js', '/assets/same-00000000.css'];

function filesOf(...names: readonly string[]): ReadonlyMap<string, Uint8Array> {
  return new Map(names.map((name) => [name, Buffer.from(name)]));
}

export function sharedFilesSuite(newPlace: NewLocation): void {
  describe('the files of the app', () => {
    it('are found at each desk, whichever version has them, as long as one has lately had them', async () => {
      const [store, clock] = [await openShared(await newPlace()), createFakeClock()];
      const deps = { ...clock, store };
      const early = await openSharedFiles(filesOf(BEFORE, SAME), deps);
      const late = await openSharedFiles(filesOf(AFTER, SAME), deps);
      const find = async ({ find: read }: typeof early, path: string) => {
        const found = read(path);
        await clock.advance(1_000);
        const body = await found;
        return body && Buffer.from(body).toString();
      };
      expect(await find(early, AFTER)).toBe(AFTER);
      expect(await find(late, BEFORE)).toBe(BEFORE);
      expect(await find(late, '/assets/page-unknown0.js')).toBeUndefined();
      early.close();
      late.close();
      const age = 'UPDATE app_file SET seen_at = seen_at - 31 * 86400000.0';
      await store.driver.write([{ name: 'age', sql: age, values: [] }]);
      const later = await openSharedFiles(filesOf(AFTER, SAME), deps);
      later.close();
      expect(await find(later, BEFORE)).toBeUndefined();
      expect(await store.query('SELECT name FROM app_file ORDER BY name')).toEqual([[AFTER], [SAME]]);
    });

    it('are looked for once a second at most, however many requests there are', async () => {
      const [store, clock] = [await openShared(await newPlace()), createFakeClock()];
      let reads = 0;
      const counting = {
        ...store,
        tryToRead: <Found>(...read: Parameters<typeof store.tryToRead<Found>>) => {
          reads += 1;
          return store.tryToRead(...read);
        },
      };
      const files = await openSharedFiles(filesOf(SAME), { ...clock, store: counting });
      const findTwenty = () =>
        Promise.all(
          Array.from({ length: 20 }, (_, index) => files.find(`/assets/page-${String(10_000_000 + index)}.js`)),
        );
      const found = findTwenty();
      await clock.advance(1_000);
      expect([(await found).every((file) => file === undefined), reads]).toEqual([true, 1]);
      files.close();
    });
  });
}
