import { describe, expect, it } from 'vitest';
import { sortParam } from './grid.ts';

const defaults = [{ id: 'volume', desc: true }];
const param = sortParam('sort', ['symbol', 'volume'], defaults);

function written(levels: Parameters<typeof param.write>[1]): string {
  const query = new URLSearchParams('q=btc');
  param.write(query, levels);
  return query.toString();
}

describe('sorting in the address', () => {
  it('survives a round trip', () => {
    const levels = [
      { id: 'symbol', desc: false },
      { id: 'volume', desc: true },
    ];
    expect(param.read(new URLSearchParams(written(levels)))).toEqual(levels);
  });

  it('is omitted where it is the default', () => {
    expect(written(defaults)).toBe('q=btc');
    expect(param.read(new URLSearchParams('q=btc'))).toEqual(defaults);
  });

  it('ignores unknown and repeated columns', () => {
    expect(param.read(new URLSearchParams('sort=-price,symbol,-symbol'))).toEqual([{ id: 'symbol', desc: false }]);
    expect(param.read(new URLSearchParams('sort=nonsense'))).toEqual(defaults);
  });
});
