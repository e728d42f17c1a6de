import { describe, expect, it } from 'vitest';
import { choiceParam, wordsParam } from './url-param.ts';

const range = choiceParam('range', ['1M', '3M', 'All'], '3M');

function written(query: string, value: '1M' | '3M' | 'All'): string {
  const params = new URLSearchParams(query);
  range.write(params, value);
  return params.toString();
}

describe('a choice in the address', () => {
  it('is read from the query', () => {
    expect(range.read(new URLSearchParams('range=All'))).toBe('All');
  });

  it.each(['', 'range=', 'range=12M', 'range=1m'])('is the default for the query "%s"', (query) => {
    expect(range.read(new URLSearchParams(query))).toBe('3M');
  });

  it('keeps other parameters, and omits the default', () => {
    expect(written('zone=local', '1M')).toBe('zone=local&range=1M');
    expect(written('zone=local&range=1M', '3M')).toBe('zone=local');
  });

  it.each(['1M', '3M', 'All'] as const)('%s survives a round trip', (value) => {
    expect(range.read(new URLSearchParams(written('', value)))).toBe(value);
  });
});

describe('several words in the address', () => {
  const closed = wordsParam('closed');

  it('survive a round trip, and none are omitted', () => {
    const query = new URLSearchParams('zone=local');
    closed.write(query, ['BTC', 'ETH']);
    expect(closed.read(query)).toEqual(['BTC', 'ETH']);
    closed.write(query, []);
    expect(query.toString()).toBe('zone=local');
    expect(closed.read(query)).toEqual([]);
  });
});
