import { describe, expect, it } from 'vitest';
import type { GridFilter } from '../grid-state.ts';
import { toLocalFilter, toHistoryQuery, toRequest } from './history-query.ts';
import {
  NARROWER_TYPES,
  readTypes,
  REPORTED_TYPES,
  toReportedType,
  toTypeChoice,
  toTypeFilter,
  writeTypes,
} from './type-filter.ts';

const is = (...texts: readonly string[]): GridFilter => ({ kind: 'is', texts });
const TEXTS = { product_id: '', day: '', begin_time: '', end_time: '' };

describe('product types of the history', () => {
  it.each<[GridFilter, string | undefined, boolean]>([
    [is('Perpetual'), 'Future', true],
    [is('Future'), 'Future', true],
    [is('Future', 'Perpetual'), 'Future', false],
    [is('Option'), 'Option', false],
    [is('Swap'), 'Swap', false],
    [is('Option', 'Perpetual'), undefined, true],
    [{ kind: 'has', text: 'Per' }, undefined, true],
  ])('%j are requested as %s, and narrowed here: %s', (type, requested, isNarrowed) => {
    const filters = { type };
    expect(toRequest(toHistoryQuery({ filters, sorts: [] }, TEXTS, 0))).toEqual({
      order: 'desc',
      ...(requested !== undefined && { product_type: requested }),
    });
    expect('type' in toLocalFilter({ filters, quick: '' }).filters).toBe(isNarrowed);
  });

  it('keep the meaning of addresses of the time when perpetuals were listed as Future', () => {
    expect(readTypes({ filters: { type: is('Future') } }).filters).toEqual({ type: is('Future', 'Perpetual') });
    expect(readTypes({ filters: { type: is('Option', 'Spread'), side: is('Future') } }).filters).toEqual({
      type: is('Option', 'Spread'),
      side: is('Future'),
    });
  });

  it.each([...REPORTED_TYPES, ...NARROWER_TYPES])(
    '%s is one choice, before and after it was in an address',
    (choice) => {
      const filter = toTypeFilter(choice);
      expect(toTypeChoice(filter ?? undefined)).toBe(choice);
      const state = { filters: filter === null ? {} : { type: filter } };
      expect(readTypes(writeTypes(state))).toEqual(state);
    },
  );

  it('of any kind are no choice', () => {
    expect([
      toTypeFilter(''),
      toTypeChoice(undefined),
      toTypeChoice(is('Option', 'Spread')),
      toReportedType(undefined),
    ]).toEqual([null, '', '', null]);
  });
});
