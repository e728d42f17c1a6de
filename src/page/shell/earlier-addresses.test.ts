// These tests check the meaning of the previous version's addresses.
import { describe, expect, it } from 'vitest';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import { PERPETUAL_PARAMS } from '#model/tables/funding/perpetual-params.ts';
import {
  closedGroups,
  grouping,
  listFilter,
  sorting,
  textFilter,
  typeFilter,
} from '#model/tables/markets/market-list.ts';
import { QUERY_PARAMS } from '#model/tables/orders/history-query.ts';
import { depthParam, panelParam } from '#page/screens/orders/beside/panel-params.ts';
import { PRICE_PARAMS } from '#page/screens/price/shared/price-params.ts';
import { VOLUME_PARAMS } from '#page/screens/volume/shared/volume-params.ts';
import { createNavigator, parseAddress, type Frame } from '#page/kit/navigator.ts';
import type { UrlParam } from '#model/format/url-param.ts';
import { createPreferenceStore } from '#page/kit/preferences.ts';
import { earlierBrowser } from '#testing/earlier-version/browser.ts';
import { createFakeFrame } from '#testing/fake-frame.ts';
import { syncZoneParameter } from './browser.ts';

const MARKET_PARAMS = {
  text: textFilter,
  type: typeFilter,
  list: listFilter,
  group: grouping,
  closed: closedGroups,
  sorting,
};
const ORDER_PARAMS = { panel: panelParam, depth: depthParam };

/**
 * The parameters by the start of the address, with those of a perpetual before those of all. The filters of lists are
 * tested with their views.
 */
const PARAMS: readonly (readonly [path: RegExp, params: object])[] = [
  [/^\/price/, PRICE_PARAMS],
  [/^\/volume/, VOLUME_PARAMS],
  [/^\/funding\//, PERPETUAL_PARAMS],
  [/^\/funding/, COMPARE_PARAMS],
  [/^\/orders\/history/, QUERY_PARAMS],
  [/^\/orders/, ORDER_PARAMS],
  [/^\/(?:\?|$)/, MARKET_PARAMS],
];

function paramsOf(address: string): readonly (readonly [string, UrlParam<unknown>])[] {
  const params = PARAMS.find(([path]) => path.test(address))?.[1] ?? {};
  return Object.entries(params).filter(([, param]) => typeof param === 'object' && 'read' in param) as (readonly [
    string,
    UrlParam<unknown>,
  ])[];
}

/** Returns the values in an address, without defaults. */
function read(address: string): Readonly<Record<string, unknown>> {
  const [{ query }, none] = [parseAddress(address), new URLSearchParams()];
  const values = paramsOf(address).map(([name, param]) => [name, param.read(query), param.read(none)] as const);
  return Object.fromEntries(
    values
      .filter(([, value, usual]) => JSON.stringify(value) !== JSON.stringify(usual))
      .map(([name, value]) => [name, value]),
  );
}

const desc = (id: string) => ({ id, desc: true });
const asc = (id: string) => ({ id, desc: false });

/**
 * The expected values of addresses with parameters. The lists' filters, columns and sort orders are tested with stored
 * data.
 */
const MEANT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/?q=perp&type=perpetual&only=favourites&group=underlying&closed=ETHUI,SOLUS&sort=-openInterestUsd,symbol&zone=chicago':
    {
      text: 'perp',
      type: 'perpetual',
      list: 'favourites',
      group: 'underlying',
      closed: ['ETHUI', 'SOLUS'],
      sorting: [desc('openInterestUsd'), asc('symbol')],
    },
  '/?type=future&sort=symbol': { type: 'future', sorting: [asc('symbol')] },
  '/price/PBTCUCZ50?range=1Y&bars=1W&scale=log&vs=PETHUIZ50&gaps=flat&view=table': {
    range: { name: '1Y' },
    period: '1W',
    scale: 'log',
    against: ['PETHUIZ50'],
    gaps: 'flat',
    view: 'table',
  },
  '/price/5614?from=2026-08-03&to=2026-10-30&bars=1M&scale=percent': {
    range: { from: '2026-08-03', to: '2026-10-30' },
    period: '1M',
    scale: 'percent',
  },
  '/price?gaps=flat&view=table&range=3M': { range: { name: '3M' }, gaps: 'flat', view: 'table' },
  '/volume?product=PBTCUCZ50,PETHUIZ50&as=stacked&unit=usd&range=3M&bars=1W&scale=log&view=table': {
    products: 'PBTCUCZ50,PETHUIZ50',
    shown: 'stacked',
    unit: 'usd',
    range: { name: '3M' },
    period: '1W',
    scale: 'log',
    view: 'table',
  },
  '/volume?series=BUS&from=2026-09-01&to=2026-10-30': {
    series: 'BUS',
    range: { from: '2026-09-01', to: '2026-10-30' },
  },
  '/volume?product=5614': { products: '5614' },
  '/funding?range=30d&form=apy&side=short&rank=stability&sort=-premium,symbol&pick=BTCUC,ETHUI,SOLUS&hide=ETHUI&show=sum&view=table&long=BTCUC&short=ETHUI&spread=table&heat=270&map=table':
    {
      ...{
        window: { name: '30d' },
        form: 'apy',
        side: 'short',
        rankBy: 'stability',
        sorting: [desc('premium'), asc('symbol')],
        picked: ['BTCUC', 'ETHUI', 'SOLUS'],
        hidden: ['ETHUI'],
      },
      ...{
        measure: 'sum',
        view: 'table',
        long: 'BTCUC',
        short: 'ETHUI',
        spreadView: 'table',
        heat: '270',
        heatView: 'table',
      },
    },
  '/funding?from=2026-10-01&to=2026-10-20&form=interval&side=long&rank=premium&sort=-sum-custom&pick=BTCUC&show=apr': {
    window: { from: '2026-10-01', to: '2026-10-20' },
    form: 'interval',
    side: 'long',
    rankBy: 'premium',
    sorting: [desc('sum-custom')],
    picked: ['BTCUC'],
    // The chart now has the unit of the screen.
  },
  '/funding/BTCUC?range=90d&form=day&side=long&view=table&hold=short&price=mark_price&contracts=25&from=2026-10-01T00:00&to=2026-10-20T08:00':
    {
      ...{
        range: '90d',
        form: 'day',
        side: 'long',
        view: 'table',
        carrySide: 'short',
        carryPrice: 'mark_price',
        contracts: '25',
        from: '2026-10-01T00:00',
        to: '2026-10-20T08:00',
      },
    },
  '/orders?q=bt&sort=-remaining,side&group=account&cols=side,account,product,price,remaining,status&f=side%3Ais%3ABid&f=remaining%3Abetween%3A2%7E40&f=product%3Ahas%3ABT&f=status%3Ais%3AWorking%7EWorking%2C+partly+filled&beside=depth&depth=PBTCUCZ50':
    { panel: 'depth', depth: 'PBTCUCZ50' },
  '/orders?beside=proof': { panel: 'proof' },
  '/orders/history?product=5614&day=2026-11-20': { product_id: '5614', day: '2026-11-20' },
  '/orders/history?from=2026-11-01&to=2026-11-20+12%3A00&sort=time&f=type%3Ais%3AFuture&f=status%3Ais%3AClosed+unfilled%7EPartly+filled%2C+then+closed&f=price%3Ais%3Awithheld&q=1':
    { begin_time: '2026-11-01', end_time: '2026-11-20 12:00' },
};

describe('an address of the version before', () => {
  it.each(earlierBrowser.looks)('means what it did: $address', ({ address }) => {
    expect(read(address)).toEqual(MEANT[address] ?? {});
  });

  it.each(earlierBrowser.looks)('gets the preferred time zone: $address', ({ address, opened }) => {
    expect(openAt(address)).toBe(opened);
  });

  it('is one of these', () => {
    const addresses = new Set(earlierBrowser.looks.map(({ address }) => address));
    expect(Object.keys(MEANT).filter((address) => !addresses.has(address))).toEqual([]);
  });
});

function openAt(address: string): string {
  let url = new URL(address, 'http://page');
  const replaceState = (_state: unknown, _title: string, to: string): void => {
    url = new URL(to, 'http://page');
  };
  const frame = {
    get location() {
      return url;
    },
    history: { replaceState },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  } as unknown as Frame;
  const navigator = createNavigator(frame, []);
  syncZoneParameter(createPreferenceStore(createFakeFrame(earlierBrowser.localStorage).frame), navigator);
  return navigator.read();
}
