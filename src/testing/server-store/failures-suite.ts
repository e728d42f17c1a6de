import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../fake-clock.ts';
import { createWriteCheck } from '#server/store/store.ts';
import { ownerCodes } from '#server/store/tables.ts';
import type { NewLocation } from './store-location.ts';
import type { TestStore } from './test-store.ts';

export interface FailureSentences {
  /** The failure of a write when the disk is full. */
  readonly full: RegExp;
  /** The same failure in the log. */
  readonly reason: RegExp;
  /** The failure of a read from a table that is missing. */
  readonly missing: RegExp;
  /** The sentence that people get for both; null if they get the same. */
  readonly plain: RegExp | null;
}

const put = { table: ownerCodes, rows: [['scope', 'account', 'A']] };
const write = ({ mustWrite }: TestStore) => mustWrite((store) => store.write([put]));
const tryToWrite = ({ tryToWrite: attempt }: TestStore) => attempt((store) => store.write([put]));
const countCodes = { name: 'count codes', sql: 'SELECT count(*) FROM owner_code', values: [] };

export function failuresSuite(newPlace: NewLocation, { full, reason, missing, plain }: FailureSentences): void {
  async function open() {
    const clock = createFakeClock();
    const reported: string[] = [];
    const place = await newPlace();
    const store = await place.open({ ...clock, report: (event, why) => void reported.push(`${event}: ${why}`) });
    return { clock, reported, store };
  }

  describe('a store that fails', () => {
    it('reports failed writes once in ten minutes, and counts each of them', async () => {
      const { clock, reported, store } = await open();
      await store.stopWrites();
      for (let time = 0; time < 20; time++) await tryToWrite(store);
      expect(reported).toEqual([expect.stringMatching(reason)]);
      expect(store.state().failedWrites).toBe(20);
      await clock.advance(600_000);
      await expect(write(store)).rejects.toThrow(plain ?? full);
      expect(reported).toHaveLength(2);
    });

    it('fails a required write with a sentence that says what to do, and works again once it can be written', async () => {
      const { store } = await open();
      await store.stopWrites();
      await expect(write(store)).rejects.toMatchObject({
        problem: { type: 'desk-cannot-write', detail: expect.stringMatching(plain ?? full) as string },
      });
      expect(store.state().lastFailure).toMatchObject({
        at: 1_700_000_000_000,
        problem: { type: 'desk-cannot-write', detail: expect.stringMatching(full) as string },
      });
      await store.allowWrites();
      await write(store);
      expect(Number((await store.read(({ read }) => read(countCodes)))[0]?.[0])).toBe(1);
    });

    it('fails the check of writing while nothing can be written, and passes it from the next success on', async () => {
      const { clock, store } = await open();
      const check = createWriteCheck(store, clock.elapsed);
      expect([await check(), await check()]).toEqual([null, null]);
      await store.stopWrites();
      await clock.advance(10_000);
      expect(await check()).toMatch(plain ?? full);
      await store.allowWrites();
      expect([await check(), await check()]).toEqual([null, null]);
    });

    it('writes for the check once in ten seconds, unless another write has failed', async () => {
      const { clock, store } = await open();
      let writes = 0;
      const mustWrite: TestStore['mustWrite'] = (work) => {
        writes += 1;
        return store.mustWrite(work);
      };
      const check = createWriteCheck({ ...store, mustWrite }, clock.elapsed);
      await Promise.all(Array.from({ length: 20 }, check));
      await clock.advance(9_999);
      await check();
      expect(writes).toBe(1);
      await clock.advance(1);
      await check();
      expect(writes).toBe(2);
      await store.stopWrites();
      await tryToWrite(store);
      expect([await check(), writes]).toEqual([expect.stringMatching(plain ?? full), 3]);
      expect([await check(), writes]).toEqual([expect.stringMatching(plain ?? full), 4]);
    });

    it('fails a read with a sentence, where a response needs it, and otherwise counts it as not found', async () => {
      const { store, reported } = await open();
      await store.driver.define(['DROP TABLE owner_code']);
      await expect(store.read(({ read }) => read(countCodes))).rejects.toMatchObject({
        problem: { type: 'desk-cannot-read', detail: expect.stringMatching(plain ?? missing) as string },
      });
      expect(store.state().lastFailure?.problem.detail).toMatch(missing);
      expect(await store.tryToRead(({ read }) => read(countCodes))).toBeUndefined();
      expect([reported.length, store.state().failedWrites]).toEqual([1, 0]);
    });

    it('does not hide a bug', async () => {
      const { store, reported } = await open();
      const mistake = () => Promise.reject(new TypeError('mistake'));
      await expect(store.tryToWrite(mistake)).rejects.toThrow(TypeError);
      await expect(store.tryToRead(mistake)).rejects.toThrow(TypeError);
      await expect(store.mustWrite(mistake)).rejects.toThrow(TypeError);
      expect(reported).toEqual([]);
    });

    it('stores nothing more once it is closed, and reports no failure', async () => {
      const { store, reported } = await open();
      await store.close();
      await tryToWrite(store);
      await expect(write(store)).rejects.toMatchObject({
        problem: { type: 'desk-cannot-write', detail: 'Perpdesk is shutting down and stores nothing more.' },
      });
      expect(reported).toEqual([]);
    });
  });
}
