import { compareInstants } from '#contract/exchange/instant.ts';
import { describeValue, type Deviation } from '#contract/parse/check.ts';
import { InvalidResponseError } from '../errors.ts';
import { withoutRepeats } from './page-list.ts';
import type { PageSpan } from './page-span.ts';
import type { Direction, RowKey } from './row-key.ts';
import type { PageResponse } from './window-state.ts';

/**
 * Sets aside the rows of a page that belong before the end of the page before it: shown where they came, they would be
 * out of order. Rejects a page of such rows only, since the pages after it cannot be in order, either.
 */
export function setMisplacedAside<Row extends RowKey>(
  response: PageResponse<Row>,
  previous: PageSpan<Row> | undefined,
  direction: Direction,
): PageResponse<Row> {
  if (previous === undefined) return response;
  const { data } = response.value;
  const fresh = withoutRepeats(data, previous);
  const misplaced = new Set(fresh.filter((row) => precedes(row, previous.last, direction)));
  if (misplaced.size === 0) return response;
  const setAside = [...data.entries()].flatMap(([index, row]) =>
    misplaced.has(row) ? [{ index, row, deviations: [toDeviation(row, index, previous.last, direction)] }] : [],
  );
  const first = setAside.flatMap(({ deviations }) => deviations).slice(0, 1);
  const deviations = first.map((deviation) => ({ ...deviation, place: '$.data[].time', count: misplaced.size }));
  if (misplaced.size === fresh.length) throw new InvalidResponseError(deviations, JSON.stringify(data));
  return {
    ...response,
    value: { ...response.value, data: data.filter((row) => !misplaced.has(row)) },
    setAside: [...response.setAside, ...setAside],
    deviations: [...response.deviations, ...deviations],
  };
}

function precedes({ time }: RowKey, last: RowKey, direction: Direction): boolean {
  const order = compareInstants(time, last.time);
  return direction === 'asc' ? order < 0 : order > 0;
}

function toDeviation({ time }: RowKey, index: number, last: RowKey, direction: Direction): Deviation {
  const expected = `${last.time} or ${direction === 'asc' ? 'later' : 'earlier'}, as on the page before`;
  return { kind: 'out of order', path: `$.data[${String(index)}].time`, expected, found: describeValue(time) };
}
