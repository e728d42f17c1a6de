import { describe, expect, it } from 'vitest';
import { createCursors, type Cursor } from '#server/push/messages.ts';
import { createSealedTexts } from '#server/core/sealed-texts.ts';
import { createAnnouncement, createFollowedElsewhere } from '#server/push/followed-elsewhere.ts';
import { createPublishedReadings, type PublishedReadings, type TopicReading } from '#server/push/published-readings.ts';
import { createFakeClock } from '../fake-clock.ts';
import { openShared } from './lease-suite.ts';
import type { NewLocation } from './store-location.ts';

const names = createSealedTexts('secret', 'live');
const PROBLEM = { type: 'a', title: 'b', status: 500, detail: 'c', instance: 'd' };

function toReading(address: string, text: string | null, cursor: Cursor, readAt: number): TopicReading {
  const provenance = { outcome: 'miss', freshSeconds: 4, staleBecause: null, respondedAt: readAt } as const;
  return {
    ...{ address, cursor, before: null, everySeconds: 5, sharedBy: 2, cost: 1, missing: ['{"id":1}'] },
    problem: text === null ? PROBLEM : null,
    response: text === null ? null : { text, provenance, readAt },
  };
}

export function readingsSuite(newPlace: NewLocation): void {
  describe('the readings that one desk publishes', () => {
    it('are found by another one with their text and age, the last few of each topic', async () => {
      const store = await openShared(await newPlace());
      const [clock, other] = [createFakeClock(), createFakeClock(5)];
      const { publish, has } = createPublishedReadings({ ...clock, store, leaderStore: store, names });
      const { find } = createPublishedReadings({ ...other, store, leaderStore: store, names });
      const cursors = createCursors({ epoch: () => 1, names });
      const read = async (address: string, text: string | null): Promise<number> => {
        const { tick } = cursors.next();
        await publish(toReading(address, text, cursors.current(), clock.now() - 60_000));
        return tick;
      };
      const first = await read('volume', 'v');
      for (const text of ['a', 'a', 'b', 'b', null, 'b', 'b']) await read('rates', text);
      const last = await read('volume', 'v');
      expect([has('volume', last), has('volume', first), has('rates', last)]).toEqual([true, false, false]);

      const found = (await find(first, ['rates'], [])) ?? [];
      // Those with an older body are gone.
      expect(found.map(({ reading }) => reading?.response?.text ?? reading?.problem ?? null)).toEqual([
        ...['b', 'b', PROBLEM, 'b', 'b'],
        null,
      ]);
      expect(found.at(-1)).toMatchObject({ address: 'volume', cursor: { tick: last, id: cursors.current().id } });
      const { response, missing } = found[0]?.reading ?? {};
      expect([missing, response?.provenance?.outcome]).toEqual([['{"id":1}'], 'miss']);
      // The clocks of the two desks are never compared.
      const ageMs = other.now() - (response?.readAt ?? 0);
      expect(ageMs).toBeGreaterThanOrEqual(60_000);
      expect(ageMs).toBeLessThan(120_000);
      expect((await find(last, ['volume'], []))?.length).toBe(0);
      expect((await find(last, ['volume'], ['volume']))?.map(({ reading }) => reading?.response?.text)).toEqual([
        'v',
        'v',
      ]);
    });

    it('are found whole after another desk has published in between', async () => {
      const store = await openShared(await newPlace());
      const [one, another, reader] = Array.from({ length: 3 }, () =>
        createPublishedReadings({ ...createFakeClock(), store, leaderStore: store, names }),
      ) as [PublishedReadings, PublishedReadings, PublishedReadings];
      const cursors = createCursors({ epoch: () => 1, names });
      const texts: unknown[] = [];
      for (const [desk, text] of [
        [one, 'a'],
        [another, 'b'],
        [one, 'a'],
      ] as const) {
        const before = cursors.current().tick;
        desk.begin();
        await desk.publish(toReading('rates', text, cursors.next(), 0));
        for (const { reading } of (await reader.find(before, ['rates'], [])) ?? []) texts.push(reading?.response?.text);
      }
      expect(texts).toEqual(['a', 'b', 'a']);
    });

    it('are those that its own streams and those of others follow, for as long as they say so', async () => {
      const store = await openShared(await newPlace());
      const clock = createFakeClock();
      const { announce } = createAnnouncement({ ...clock, store, desk: 'other' });
      const elsewhere = createFollowedElsewhere({ store, desk: 'own' });
      const followed = new Map<string, readonly string[]>();
      const topics = {
        follow: ({ address }: { readonly address: string }, { payers }: { readonly payers: () => Iterable<string> }) =>
          void followed.set(address, [...payers()]) as never,
        unfollow: ({ address }: { readonly address: string }) => void followed.delete(address),
      };
      const added: string[] = [];
      const look = () => elsewhere.update(topics, (address) => void added.push(address));
      await look();
      expect([elsewhere.isAny(), added]).toEqual([false, []]);
      await announce(new Map([['rates', new Map([['person ann', 2] as const])]]));
      await look();
      expect([[...followed], added]).toEqual([[['rates', ['person ann', 'person ann']]], ['rates']]);
      await announce(
        new Map([
          ['volume', new Map([['person ann', 1] as const])],
          ['a topic of a later version', new Map([['person ann', 1] as const])],
        ]),
      );
      await look();
      expect([[...followed.keys()], added]).toEqual([['volume'], ['rates', 'volume']]);
      await announce(new Map());
      await look();
      expect([elsewhere.isAny(), followed.size]).toEqual([false, 0]);
    });
  });
}
