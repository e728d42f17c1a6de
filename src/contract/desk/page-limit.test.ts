import { expect, it } from 'vitest';
import { createPageLimit } from './page-limit.ts';

class Rejection extends Error {}

const isRejection = (error: unknown): boolean => error instanceof Rejection;

/** Creates a venue that rejects limits above `most`. */
function venueOf(most: number) {
  const limits: (number | undefined)[] = [];
  const read = (limit: number | undefined): Promise<number> => {
    limits.push(limit);
    return limit !== undefined && limit > most
      ? Promise.reject(new Rejection(`${String(limit)} is too many`))
      : Promise.resolve(limit ?? most);
  };
  return { limits, read };
}

it('uses the wanted limit where the venue accepts it', async () => {
  const { limits, read } = venueOf(1_000);
  const withLimit = createPageLimit(isRejection);
  expect([await withLimit(1_000, read), await withLimit(500, read)]).toEqual([1_000, 500]);
  expect(limits).toEqual([1_000, 500]);
});

it.each([
  { most: 100, tried: [1_000, 100], then: [100] },
  { most: 20, tried: [1_000, 100, undefined], then: [undefined] },
])('finds out once that the maximum is $most rows', async ({ most, tried, then }) => {
  const { limits, read } = venueOf(most);
  const withLimit = createPageLimit(isRejection);
  expect(await withLimit(1_000, read)).toBe(most);
  expect(limits).toEqual(tried);
  limits.length = 0;
  expect(await withLimit(1_000, read)).toBe(most);
  expect(limits).toEqual(then);
});

it('attributes the rejection of a limit accepted before to another cause', async () => {
  const withLimit = createPageLimit(isRejection);
  await withLimit(1_000, venueOf(1_000).read);
  const { limits, read } = venueOf(10);
  await expect(withLimit(500, read)).rejects.toThrow('500 is too many');
  expect(limits).toEqual([500]);
});

it('learns nothing from a request that is rejected without a limit, too', async () => {
  const withLimit = createPageLimit(isRejection);
  const limits: unknown[] = [];
  const reject = (limit: number | undefined): Promise<never> => {
    limits.push(limit);
    return Promise.reject(new Rejection('no such account'));
  };
  await expect(withLimit(1_000, reject)).rejects.toThrow('no such account');
  await expect(withLimit(1_000, reject)).rejects.toThrow('no such account');
  expect(limits).toEqual([1_000, 100, undefined, 1_000, 100, undefined]);
});

it('passes on other errors at once', async () => {
  const limits: unknown[] = [];
  const fail = (limit: number | undefined): Promise<never> => {
    limits.push(limit);
    return Promise.reject(new Error('out of reach'));
  };
  await expect(createPageLimit(isRejection)(1_000, fail)).rejects.toThrow('out of reach');
  expect(limits).toEqual([1_000]);
});
