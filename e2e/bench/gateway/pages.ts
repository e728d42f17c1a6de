import { toDigits, type Goal } from '../lib/report.ts';
import { measureRates, printRates, ratioOf, ratioTo, type Proxies, type Rates } from './rates.ts';
import { nextPath, readOnce, type ProxyLoad } from './servers.ts';

const CONNECTIONS = 64;
const PAGE = '/api/orders';
const SAME = `${PAGE}?account_id=ACCT-0`;

export interface Pages {
  readonly same: Rates;
  readonly distinct: Rates;
  readonly notModified: Rates;
}

/**
 * Measures pages of 20 kB: the same one for all requests, the same one revalidated, and a different one for each
 * request.
 */
export async function measurePages(proxies: Proxies, rounds: number): Promise<Pages> {
  await proveThatTheyAgree(proxies);
  const same = await measureRates(proxies, { path: SAME, connections: CONNECTIONS }, rounds);
  const notModified = await measureNotModified(proxies, rounds);
  const distinct = await measureRates(proxies, { path: () => nextPath(PAGE), connections: CONNECTIONS }, rounds);
  return { same, notModified, distinct };
}

async function measureNotModified(all: Proxies, rounds: number): Promise<Rates> {
  // The signing loop forwards no header.
  const proxies = new Map([...all].filter(([name]) => name !== 'signing-loop'));
  const tags = new Map<string, string>();
  for (const [name, proxy] of proxies) tags.set(name, (await readOnce(proxy, SAME)).headers.etag ?? '');
  const headers = (name: string) => ({ 'if-none-match': tags.get(name) ?? '' });
  return measureRates(proxies, { path: SAME, headers, status: 304, connections: CONNECTIONS }, rounds);
}

async function proveThatTheyAgree(proxies: Proxies): Promise<void> {
  const bodies = await Promise.all(
    [...proxies.values()].map(async (proxy) => (await readOnce(proxy, SAME)).body.toString()),
  );
  if (new Set(bodies).size > 1) throw new Error('the proxies give different pages');
}

export function printPages({ same, distinct, notModified }: Pages): void {
  const suffix = `${String(CONNECTIONS)} connections, the proxy on one core, client and exchange on the other`;
  printRates(`The same page of 20 kB: ${suffix}`, same);
  printFloor(same);
  printRates('Distinct requests, a page of 20 kB each', distinct);
  printBound(distinct);
  printRates('The same page, revalidated: 304', notModified);
}

/**
 * Prints the bound: the signing loop has the same base and none of the rules, so no server on that base can do better.
 */
function printBound(distinct: Rates): void {
  const [rate, late] = [perCoreSecond, p99].map((pick) =>
    toDigits(ratioOf(distinct, 'signing-loop', 'reply-from', pick).median),
  );
  console.log(
    `\nUpper bound of the base: ${String(rate)} x the rate of reply-from, ${String(late)} x its p99 (the signing loop, which does nothing else)`,
  );
}

/** Prints the floor: the latency of nginx, which does next to nothing, is that of the machine. */
function printFloor(same: Rates): void {
  if (same.has('nginx'))
    console.log(
      `\nLatency of the machine: nginx has ${toDigits(ratioOf(same, 'nginx', 'reply-from', p99).median)} x the p99 of reply-from`,
    );
}

const perCoreSecond = (run: ProxyLoad): number => run.perCoreSecond;
const p99 = (run: ProxyLoad): number => run.p99Ms;

export function pageGoals({ same, distinct, notModified }: Pages): Goal[] {
  const goals: Goal[] = [
    {
      what: 'same page, rate',
      measured: ratioTo(same, 'reply-from', perCoreSecond).median,
      relation: 'at least',
      limit: 2,
      unit: 'x reply-from',
    },
    {
      what: 'same page, rate',
      measured: ratioTo(same, 'nginx', perCoreSecond).median,
      relation: 'at least',
      limit: 0.6,
      unit: 'x nginx',
    },
    {
      what: 'same page, p99',
      measured: ratioTo(same, 'reply-from', p99).median,
      relation: 'at most',
      limit: 0.5,
      unit: 'x reply-from',
    },
    {
      what: 'distinct, rate',
      measured: ratioTo(distinct, 'reply-from', perCoreSecond).median,
      relation: 'at least',
      limit: 1.6,
      unit: 'x reply-from',
    },
    {
      what: 'distinct, p99',
      measured: ratioTo(distinct, 'reply-from', p99).median,
      relation: 'at most',
      limit: 0.4,
      unit: 'x reply-from',
    },
    {
      what: '304, rate',
      measured: ratioTo(notModified, 'nginx', perCoreSecond).median,
      relation: 'at least',
      limit: 0.7,
      unit: 'x nginx',
    },
  ];
  return goals.filter(({ unit }) => unit !== 'x nginx' || same.has('nginx'));
}
