import type { Agreement } from './schema.ts';

/** No contracts have no value. */
export function notionalOf(contracts: string, notional: string): Agreement {
  return {
    paths: [notional],
    expected: 'no value of 0 contracts',
    findConflict: ({ [contracts]: count, [notional]: value }) =>
      count === 0 && typeof value === 'number' && value !== 0 ? `number ${String(value)}` : null,
  };
}
