import { replaceEqualDeep, type UseQueryResult } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { ApiResponse } from '#model/response.ts';
import { parseKeepingDigits } from '#contract/parse/json-text.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { joinResponses } from './use-voi.ts';

type Result = UseQueryResult<ApiResponse<readonly VOIDataPoint[]>>;

function resultOf(digits: string): Result {
  const value = parseKeepingDigits(`[{"date":"2026-06-01","notionalVolume":${digits}}]`);
  return {
    data: { value, setAside: [], deviations: [], receivedAt: 0, ageSeconds: 0, staleBecause: null },
    error: null,
    errorUpdatedAt: 0,
    isFetching: false,
  } as unknown as Result;
}

it('joined rows keep all their digits when one of the responses changes', () => {
  const [first, second, third] = ['1.00000000000000000001', '2.00000000000000000002', '3.00000000000000000003'].map(
    resultOf,
  );
  if (first === undefined || second === undefined || third === undefined) throw new Error('no results');
  // Treats combined results as the query library does.
  const { data } = replaceEqualDeep(joinResponses([first, second]), joinResponses([first, third]))();
  expect(data?.value.map((row) => wireText(row, 'notionalVolume'))).toEqual([
    '1.00000000000000000001',
    '3.00000000000000000003',
  ]);
});
