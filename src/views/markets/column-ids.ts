/** Columns by which the list can be sorted, as addresses name them. */
export const COLUMN_IDS = [
  'symbol',
  'name',
  'type',
  'last',
  'change',
  'changePercent',
  'settlement',
  'volume',
  'volumeUsd',
  'openInterest',
  'openInterestUsd',
  'openInterestDate',
  'funding',
  'estimate',
  'apr',
  'boundary',
] as const;
