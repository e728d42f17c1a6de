import { expect, it } from 'vitest';
import { takeRows } from './in-sight-first.ts';

const section = (key: string, rows: readonly number[], closed = false) => ({ key, heading: key, sums: new Map<string, string>(), rows, closed });
const sections = [section('a', [1, 2]), section('closed', [3, 4, 5], true), section('b', [6, 7])];

it('takes the first rows over all sections; those of a closed one are not drawn, and take no place', () => {
  expect(takeRows(sections, 3).map(({ rows }) => rows)).toEqual([[1, 2], [], [6]]);
});

it('gives the very same sections where all are to be drawn', () => {
  expect(takeRows(sections, Infinity)).toBe(sections);
});
