import { describe, expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { parseKeepingDigits } from '#contract/parse/json-text.ts';
import { TEST_SOURCE } from '#testing/test-source.ts';
import type { Source } from '../response.ts';
import {
  describeExpiring,
  describeRoll,
  findInterestSessions,
  toCalendarEvents,
  toExpiredMonths,
  toExpiries,
  toMonthInterests,
} from './expiry-calendar.ts';

const source: Source = { ...TEST_SOURCE, endpoint: 'chartVoi' };

const [AUGUST, SEPTEMBER] = ['2026-08-28T21:00:00Z', '2026-09-25T21:00:00Z'];

interface Listed {
  readonly id: number;
  readonly symbol: string;
  readonly type?: string;
  readonly unit?: string;
  readonly size?: string;
  readonly status?: string;
  readonly at: string;
  readonly since?: string;
}

const listed = (all: readonly Listed[]): readonly DeskProduct[] =>
  parseKeepingDigits(
    `[${all
      .map(
        ({ id, symbol, type = 'future', unit = 'BTC', size = '1', status = 'active', at, since = '2026-01-01' }) =>
          `{"product_id":${String(id)},"symbol":"${symbol}","product_name":"Name of ${symbol}","type":"${type}","contract_size_unit":"${unit}",` +
          `"contract_size":${size},"product_status":"${status}","final_settle_time":"${at}","first_trading_day":"${since}",` +
          `"month":"${symbol.slice(3, 4)}","year":2026}`,
      )
      .join()}]`,
  ) as readonly DeskProduct[];

const MONTHS: readonly Listed[] = [
  { id: 1, symbol: 'BUSQ26', at: AUGUST },
  { id: 2, symbol: 'BUCQ26', size: '0.01', at: AUGUST },
  { id: 3, symbol: 'BUSU26', at: SEPTEMBER },
];

const voiOf = (rows: readonly (readonly [id: number, date: string, contracts: number | null])[]) => ({
  ...source,
  value: rows.map(([productId, date, openInterest]) => ({
    productId,
    date,
    openInterest,
  })) as unknown as VOIDataPoint[],
});

describe('expiries', () => {
  it('are those of active dated products of the underlying, by time, with what expires then', () => {
    const products = listed([
      ...MONTHS.toReversed(),
      { id: 4, symbol: 'BUSQ26-BUSU26', type: 'spread', at: AUGUST },
      { id: 5, symbol: 'BTC-C1', type: 'option', at: AUGUST },
      { id: 6, symbol: 'BUSN26', status: 'expired', at: '2026-07-31T21:00:00Z' },
      { id: 7, symbol: 'PBTCUCZ50', type: 'perpetual', at: '2050-12-31T21:00:00Z' },
      { id: 8, symbol: 'ETUDQ26', unit: 'ETH', at: AUGUST },
    ]);
    expect(toExpiries(products, 'BTC').map((expiry) => [expiry.at, describeExpiring(expiry)])).toEqual([
      [AUGUST, 'BUCQ26, BUSQ26, 1 spread, 1 option'],
      [SEPTEMBER, 'BUSU26'],
    ]);
    expect(toExpiries(products, null).map(({ underlying }) => underlying)).toEqual(['BTC', 'ETH', 'BTC']);
  });

  it('are events that name every product, with UIDs that are the same in every file and differ from each other', () => {
    const products = listed([
      ...MONTHS,
      { id: 5, symbol: 'BUSQ26-P90000', type: 'option', at: AUGUST },
      { id: 4, symbol: 'BUSQ26-C90000', type: 'option', at: AUGUST },
      { id: 8, symbol: 'ETUDQ26', unit: 'ETH', at: AUGUST },
    ]);
    const events = toCalendarEvents(toExpiries(products, null));
    expect(events).toEqual(toCalendarEvents(toExpiries(products.toReversed(), null)));
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(3);
    expect(events[0]).toEqual({
      uid: 'BTC-1787950800000-expiry@perpdesk',
      at: Date.parse(AUGUST),
      summary: 'BTC expiry: BUCQ26, BUSQ26, 2 options',
      description: ['BUCQ26', 'BUSQ26', 'BUSQ26-C90000', 'BUSQ26-P90000']
        .map((symbol) => `${symbol}: Name of ${symbol}`)
        .join('\n'),
    });
  });
});

describe('open interest of a month', () => {
  const expiries = toExpiries(listed(MONTHS), 'BTC');
  const rows = [
    [1, '2026-08-07', 172],
    [2, '2026-08-07', 530],
    [3, '2026-08-07', 352],
    [1, '2026-08-14', 150],
    [2, '2026-08-14', 509],
    [3, '2026-08-14', 427],
    [1, '2026-08-17', null],
  ] as const;

  it('is of the newest session that has any and of the one a week before, which is no weekend', () => {
    expect(findInterestSessions(expiries, voiOf(rows).value)).toEqual({
      newest: '2026-08-14',
      weekBefore: '2026-08-07',
    });
    expect(findInterestSessions(expiries, voiOf([[1, '2026-08-16', 1]]).value)?.weekBefore).toBe('2026-08-07');
    expect(findInterestSessions(expiries, [])).toBeNull();
  });

  it('is added in units of the underlying, exactly, and moves from month to month', () => {
    const sessions = { newest: '2026-08-14', weekBefore: '2026-08-07' } as never;
    const interests = toMonthInterests(expiries, voiOf(rows), sessions);
    expect(interests.map((one) => [one?.now, one?.weekBefore, one?.change].map((value) => value?.toFixed()))).toEqual([
      ['155.09', '177.3', '-22.21'],
      ['427', '352', '75'],
    ]);
    expect(interests.map((one) => one?.missingBecause)).toEqual([null, null]);
    expect(describeRoll(expiries, interests, sessions)).toBe(
      'From 7 Aug 2026 to 14 Aug 2026, open interest fell most in Q26 (−22.21 BTC) and grew most in U26 (+75 BTC). ' +
        'All months together have 582.09 BTC, +52.79 against a week before.',
    );
  });

  it('falls to nothing in a month that has expired since, which is part of the table and of the sentence', () => {
    const sessions = { newest: '2026-08-14', weekBefore: '2026-08-07' } as never;
    const products = listed([
      ...MONTHS,
      { id: 6, symbol: 'BUSN26', status: 'expired', at: '2026-08-14T21:00:00Z' },
      { id: 9, symbol: 'BUSM26', status: 'expired', at: '2026-08-07T21:00:00Z' },
      { id: 8, symbol: 'ETUDN26', status: 'expired', unit: 'ETH', at: '2026-08-14T21:00:00Z' },
    ]);
    const all = [...toExpiredMonths(products, 'BTC', sessions), ...toExpiries(products, 'BTC')];
    expect(all.map(({ at, hasExpired }) => [at, hasExpired])).toEqual([
      ['2026-08-14T21:00:00Z', true],
      [AUGUST, false],
      [SEPTEMBER, false],
    ]);
    const interests = toMonthInterests(all, voiOf([...rows, [6, '2026-08-07', 229], [6, '2026-08-14', 214]]), sessions);
    const [expired] = interests;
    expect([expired?.now, expired?.weekBefore, expired?.change].map((value) => value?.toFixed())).toEqual([
      '0',
      '229',
      '-229',
    ]);
    expect(expired?.parts[0]?.nothing.now).toContain('It expired on 14 Aug 2026');
    expect(describeRoll(all, interests, sessions)).toBe(
      'From 7 Aug 2026 to 14 Aug 2026, open interest fell most in N26 (−229 BTC; expired on 14 Aug 2026) and grew ' +
        'most in U26 (+75 BTC). All months together have 582.09 BTC, −176.21 against a week before.',
    );
  });

  it('is said to grow or to fall everywhere, or not to move', () => {
    const sessions = { newest: '2026-08-14', weekBefore: '2026-08-07' } as never;
    const describeMoves = (now: number) =>
      describeRoll(
        expiries,
        toMonthInterests(
          expiries,
          voiOf([1, 2, 3].flatMap((id) => [[id, '2026-08-07', 100] as const, [id, '2026-08-14', now] as const])),
          sessions,
        ),
        sessions,
      );
    expect(describeMoves(150)).toContain('open interest fell in no month and grew most in Q26 (+50.5 BTC).');
    expect(describeMoves(50)).toContain('open interest grew in no month and fell most in Q26 (−50.5 BTC).');
    expect(describeMoves(100)).toBeNull();
  });

  it('is missing, which is not zero, if that of one future is, and says why; before its listing nothing was open', () => {
    const sessions = { newest: '2026-08-14', weekBefore: '2026-08-07' } as never;
    const young = toExpiries(
      listed(MONTHS.map((one) => (one.id === 3 ? { ...one, since: '2026-08-10' } : one))),
      'BTC',
    );
    const interests = toMonthInterests(
      young,
      voiOf(rows.filter(([id, day]) => day !== '2026-08-07' || id === 1)),
      sessions,
    );
    expect(interests.map((one) => [one?.weekBefore?.toFixed(), one?.change?.toFixed(), one?.missingBecause])).toEqual([
      [undefined, undefined, 'The exchange has published no open interest of BUCQ26 for 7 Aug 2026.'],
      ['0', '427', null],
    ]);
    expect(interests[1]?.parts[0]?.nothing).toEqual({ now: null, weekBefore: 'It was not listed on 7 Aug 2026.' });
    expect(describeRoll(young, interests, sessions)).toBe(
      'From 7 Aug 2026 to 14 Aug 2026, open interest fell in no month whose change is known and grew most in U26 (+427 BTC).',
    );
  });
});
