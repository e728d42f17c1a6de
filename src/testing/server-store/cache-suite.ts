import { describe, expect, it } from 'vitest';
import { createBody } from '#server/core/body.ts';
import { openDiskCache } from '#server/proxy/response-cache.ts';
import type { VenueResponse } from '#server/core/ports.ts';
import type { NewLocation } from './store-location.ts';

function responseOf(bytes: number, respondedAt = 0): VenueResponse {
  return { body: createBody([Buffer.alloc(bytes, 'x')]), contentType: 'application/json', respondedAt, tag: '"t"' };
}

const MOST = 100_000;

export function cacheSuite(newPlace: NewLocation): void {
  const openStore = async () => (await newPlace()).open();

  describe('cached responses', () => {
    it('are found again after a restart, byte for byte', async () => {
      const place = await newPlace();
      const before = await place.open();
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
      const response = {
        body: createBody([bytes]),
        contentType: 'application/json',
        respondedAt: 1_700_000_000_123,
        tag: '"ä"',
      };
      await (await openDiskCache(before, MOST)).put('k', response);
      await before.close();
      const found = await (await openDiskCache(await place.open(), MOST)).find('k');
      expect(found?.body.whole().equals(bytes)).toBe(true);
      expect(found).toMatchObject({ contentType: 'application/json', respondedAt: 1_700_000_000_123, tag: '"ä"' });
    });

    it('never exceed their size: the oldest are evicted', async () => {
      const cache = await openDiskCache(await openStore(), MOST);
      for (let index = 0; index < 350; index++) {
        await cache.put(`k${String(index)}`, responseOf(100, index));
        expect(cache.size().bytes).toBeLessThanOrEqual(MOST);
      }
      expect((await cache.find('k349'))?.body.byteLength).toBe(100);
      expect(await cache.find('k0')).toBeUndefined();
    });

    it('hardly exceed their size where two desks store them, or the same ones', async () => {
      const store = { ...(await openStore()), isShared: true };
      const [one, other] = [await openDiskCache(store, MOST), await openDiskCache(store, MOST)];
      for (let index = 0; index < 400; index++) {
        await one.put(`k${String(index)}`, responseOf(100, index));
        await other.put(index % 2 === 0 ? `k${String(index)}` : `own ${String(index)}`, responseOf(100, index));
      }
      expect((await openDiskCache(store, MOST)).size().bytes).toBeLessThan(1.2 * MOST);
      expect((await other.find('k398'))?.body.byteLength).toBe(100);
    });

    it('count with their overhead', async () => {
      const cache = await openDiskCache(await openStore(), MOST);
      for (let index = 0; index < 600; index++)
        await cache.put(`${'q'.repeat(100)}${String(index)}`, responseOf(2, index));
      expect(cache.size().responses).toBeLessThan(MOST / 200);
    });

    it('have a tracked size that equals a fresh count', async () => {
      const store = await openStore();
      const cache = await openDiskCache(store, MOST);
      for (const [key, bytes] of [
        ['a', 40_000],
        ['b', 1],
        ['a', 5],
        ['c', 90_000],
      ] as const)
        await cache.put(key, responseOf(bytes));
      const { responses, bytes } = cache.size();
      expect(responses).toBe(3);
      expect((await openDiskCache(store, MOST)).size()).toEqual({ responses, bytes });
      await cache.put('d', responseOf(20_000));
      expect(cache.size()).toEqual((await openDiskCache(store, MOST)).size());
    });

    it('are not stored where they do not fit, or where their key is endless', async () => {
      const store = await openStore();
      const cache = await openDiskCache(store, MOST);
      await cache.put('k'.repeat(3_000), responseOf(100));
      expect(store.state().failedWrites).toBe(0);
      await store.stopWrites();
      await cache.put('k', responseOf(100));
      expect(store.state().failedWrites).toBe(1);
      expect(await cache.find('k')).toBeUndefined();
      expect(cache.size()).toEqual({ responses: 0, bytes: 0 });
    });

    it('count as not found where they cannot be read', async () => {
      const store = await openStore();
      const cache = await openDiskCache(store, MOST);
      await cache.put('a', responseOf(10));
      await store.driver.define(['DROP TABLE kept_answer']);
      expect(await cache.find('a')).toBeUndefined();
      expect(store.state().lastFailure?.problem.type).toBe('desk-cannot-read');
    });
  });
}
