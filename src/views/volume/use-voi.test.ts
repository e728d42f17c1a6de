import { replaceEqualDeep, type UseQueryResult } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { ApiResponse } from '#api/api-response.ts';
import { parseKeepingDigits, wireText } from '#contract/json-text.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { joinResponses } from './use-voi.ts';

type Result = UseQueryResult<ApiResponse<readonly VOIDataPoint[]>>;

function readOf(digits: string): Result {
  const value = parseKeepingDigits(`[{"date":"2026-06-01","notionalVolume":${digits}}]`);
  return { data: { value, setAside: [], deviations: [], receivedAt: 0, ageSeconds: 0, staleBecause: null }, error: null, errorUpdatedAt: 0, isFetching: false } as unknown as Result;
}

it('rows of products’ answers put together keep all their digits when one of the answers is another', () => {
  const [first, second, third] = ['1.00000000000000000001', '2.00000000000000000002', '3.00000000000000000003'].map(readOf);
  if (first === undefined || second === undefined || third === undefined) throw new Error('no answers');
  // As the query's library does with what is combined.
  const { data } = replaceEqualDeep(joinResponses([first, second]), joinResponses([first, third]))();
  expect(data?.value.map((row) => wireText(row, 'notionalVolume'))).toEqual(['1.00000000000000000001', '3.00000000000000000003']);
});
