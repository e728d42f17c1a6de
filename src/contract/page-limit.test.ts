import { expect, it } from 'vitest';
import { createPageLimit } from './page-limit.ts';

class Refusal extends Error {}

const isRefusal = (error: unknown): boolean => error instanceof Refusal;

/** A venue that gives at most so many rows a page, and refuses to be asked for more. */
function venueOf(most: number) {
  const asked: (number | undefined)[] = [];
  const ask = (limit: number | undefined): Promise<number> => {
    asked.push(limit);
    return limit !== undefined && limit > most ? Promise.reject(new Refusal(`${String(limit)} is too many`)) : Promise.resolve(limit ?? most);
  };
  return { asked, ask };
}

it('asks for what is wanted where the venue gives it', async () => {
  const { asked, ask } = venueOf(1_000);
  const withLimit = createPageLimit(isRefusal);
  expect([await withLimit(1_000, ask), await withLimit(500, ask)]).toEqual([1_000, 500]);
  expect(asked).toEqual([1_000, 500]);
});

it.each([
  { most: 100, tried: [1_000, 100], then: [100] },
  { most: 20, tried: [1_000, 100, undefined], then: [undefined] },
])('finds out once that a page may have $most rows', async ({ most, tried, then }) => {
  const { asked, ask } = venueOf(most);
  const withLimit = createPageLimit(isRefusal);
  expect(await withLimit(1_000, ask)).toBe(most);
  expect(asked).toEqual(tried);
  asked.length = 0;
  expect(await withLimit(1_000, ask)).toBe(most);
  expect(asked).toEqual(then);
});

it('takes a refusal to be about something else once so many rows were given', async () => {
  const withLimit = createPageLimit(isRefusal);
  await withLimit(1_000, venueOf(1_000).ask);
  const { asked, ask } = venueOf(10);
  await expect(withLimit(500, ask)).rejects.toThrow('500 is too many');
  expect(asked).toEqual([500]);
});

it('learns nothing from a question that is refused without a limit, too', async () => {
  const withLimit = createPageLimit(isRefusal);
  const asked: unknown[] = [];
  const refuse = (limit: number | undefined): Promise<never> => {
    asked.push(limit);
    return Promise.reject(new Refusal('no such account'));
  };
  await expect(withLimit(1_000, refuse)).rejects.toThrow('no such account');
  await expect(withLimit(1_000, refuse)).rejects.toThrow('no such account');
  expect(asked).toEqual([1_000, 100, undefined, 1_000, 100, undefined]);
});

it('passes on at once what is no refusal', async () => {
  const asked: unknown[] = [];
  const fail = (limit: number | undefined): Promise<never> => {
    asked.push(limit);
    return Promise.reject(new Error('out of reach'));
  };
  await expect(createPageLimit(isRefusal)(1_000, fail)).rejects.toThrow('out of reach');
  expect(asked).toEqual([1_000]);
});
