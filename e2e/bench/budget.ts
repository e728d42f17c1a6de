/**
 * What screens cost of the exchange's request budget, in real time. First, a browser opens each screen before a server
 * without a budget, which shows what each costs and what its page requests. Then people open products, one each eight
 * seconds, before a new server with the default budget: each sends what the browser requested for that product.
 * Arguments: `--people` (10), `--minutes` (10), `--seed` (1).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser } from '@playwright/test';
import type { DeskStatus } from '../../src/contract/desk/status.ts';
import { startDeskBefore } from '../../src/testing/start-desk.ts';
import { type Counts, difference, KINDS, startExchange, sum } from './budget/exchange.ts';
import { visit, VISIT_MS, type Waits } from './budget/people.ts';
import { choosePlay } from './budget/play.ts';
import { openScreen, type Opened } from './budget/screens.ts';
import { type Goal, publish, toDigits } from './lib/report.ts';
import { formatTable } from './lib/table.ts';
import { openContext, startBrowser } from './live/pages.ts';

const BUDGET = '200/300';
const JOURNAL_SECONDS = '30';
/** How long a server has been up before anyone comes. */
const START_MS = 90_000;

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
});

type Products = ReadonlyMap<string, Opened>;

interface Screens {
  /** The products that each person opens. */
  readonly play: readonly (readonly string[])[];
  readonly markets: Opened;
  /** The first time ever, and with all settled rates on disk. */
  readonly funding: Opened;
  readonly fundingAgain: Opened;
  readonly products: Products;
  readonly productsAgain: Products;
}

async function measureScreens(browser: Browser): Promise<Screens> {
  await using exchange = await startExchange('0');
  const desk = await startDeskBefore({ address: exchange.address, stop: () => Promise.resolve() });
  try {
    // The self-test reads each endpoint once, and the plan each predicted rate.
    await pause(START_MS);
    const context = await openContext(browser, 'page');
    const page = await context.newPage();
    const open = (path: string): Promise<Opened> => openScreen(page, exchange, new URL(path, desk.server.address).href);
    const openAll = async (symbols: Iterable<string>): Promise<Products> => {
      const opened = new Map<string, Opened>();
      for (const symbol of symbols) opened.set(symbol, await open(`/price/${symbol}`));
      return opened;
    };
    const markets = await open('/');
    const funding = await open('/funding');
    const fundingAgain = await open('/funding');
    const play = choosePlay(await readActive(desk.api), {
      people: Number(values.people),
      visits: Math.round((Number(values.minutes) * 60_000) / VISIT_MS),
      seed: Number(values.seed),
    });
    const chosen = new Set(play.flat());
    return {
      ...{ play, markets, funding, fundingAgain },
      products: await openAll(chosen),
      productsAgain: await openAll(chosen),
    };
  } finally {
    await desk.stop();
  }
}

async function readActive(api: string): Promise<readonly string[]> {
  const { products } = (await (await fetch(`${api}/desk/products`)).json()) as {
    readonly products: readonly { readonly symbol: string; readonly product_status: string }[];
  };
  return products.filter((one) => one.product_status === 'active').map(({ symbol }) => symbol);
}

interface Played {
  readonly counts: Counts;
  /** The budget when most of it was used. */
  readonly peak: DeskStatus['budget'];
  readonly waits: Waits;
}

async function measurePeople({ play, products }: Screens): Promise<Played> {
  await using exchange = await startExchange(BUDGET);
  const desk = await startDeskBefore(
    { address: exchange.address, stop: () => Promise.resolve() },
    { DESK_BUDGET: BUDGET, DESK_JOURNAL_SECONDS: JOURNAL_SECONDS },
  );
  try {
    const waits: Waits = { all: [], byStatus: new Map(), stale: 0 };
    await pause(START_MS);
    let peak = await readBudget(desk.api);
    const before = exchange.counts();
    const ended = new AbortController();
    const watching = (async () => {
      while (!ended.signal.aborted) {
        const budget = await readBudget(desk.api);
        if (budget.used > peak.used) peak = budget;
        await pause(1_000);
      }
    })();
    await Promise.all(
      play.map((symbols) =>
        visit(
          desk.server.address,
          symbols.map((symbol) => products.get(symbol)?.requests ?? []),
          waits,
        ),
      ),
    );
    ended.abort();
    await watching;
    return { counts: difference(exchange.counts(), before), peak, waits };
  } finally {
    await desk.stop();
  }
}

async function readBudget(api: string): Promise<DeskStatus['budget']> {
  return ((await (await fetch(`${api}/desk/status`)).json()) as DeskStatus).budget;
}

/** What a visit costs by itself: all products and predicted rates are read for everyone, whatever one opens. */
function most(products: Products): number {
  return Math.max(0, ...[...products.values()].map(({ counts }) => counts['one product']));
}

function printScreens({ markets, funding, fundingAgain, products, productsAgain }: Screens): void {
  const row = (name: string, all: readonly Opened[]): string[] => [
    name,
    ...KINDS.map((kind) => toDigits(all.reduce((total, { counts }) => total + counts[kind], 0) / all.length)),
    toDigits(Math.max(...all.map(({ counts }) => sum(counts)))),
  ];
  console.log('\nRequests to the exchange for a screen (means of all products opened)\n');
  console.log(
    formatTable(
      ['', ...KINDS, 'most'],
      [
        row('Markets', [markets]),
        row('Funding, first time ever', [funding]),
        row('Funding', [fundingAgain]),
        row(`a product not seen (${String(products.size)})`, [...products.values()]),
        row('a product seen', [...productsAgain.values()]),
      ],
    ),
  );
}

function printPeople({ counts, peak, waits }: Played): void {
  const reserve = peak.limit?.reserve ?? 0;
  console.log(`\n${values.people} people for ${values.minutes} min, budget ${BUDGET}, seed ${values.seed}\n`);
  console.log(
    formatTable(
      ['', ...KINDS, 'all'],
      [['requests', ...KINDS.map((kind) => String(counts[kind])), String(sum(counts))]],
    ),
  );
  console.log(
    `\nMost used within a window: ${String(peak.used)} of ${String(peak.limit?.requests)}, of which ${String(reserve)} are the reserve; ` +
      Object.entries(peak.by_purpose ?? {})
        .map(([purpose, used]) => `${purpose} ${String(used)}`)
        .join(', '),
  );
  const statuses = [...waits.byStatus].map(([status, times]) => `${String(times)} x ${String(status)}`);
  console.log(
    `${statuses.join(', ')}; ${String(waits.stale)} stale; longest wait ${toDigits(Math.max(...waits.all))} ms`,
  );
}

function toGoals({ markets, fundingAgain, products, productsAgain }: Screens, { peak, waits }: Played): Goal[] {
  const atMost = (what: string, measured: number, limit: number): Goal => ({
    ...{ what, measured, limit },
    relation: 'at most',
    unit: '',
  });
  const { requests = 0, reserve = 0 } = peak.limit ?? {};
  return [
    atMost('requests for Markets', sum(markets.counts), 6),
    atMost('requests for Funding, settled rates on disk', sum(fundingAgain.counts), 3),
    atMost('requests for a product not seen', most(products), 2),
    atMost('requests for a product seen', most(productsAgain), 0),
    atMost('most used within a window, without the reserve', peak.used, requests - reserve),
    atMost('requests refused', waits.byStatus.get(429) ?? 0, 0),
    atMost('responses with old data', waits.stale, 0),
  ];
}

await using browser = await startBrowser();
const screens = await measureScreens(browser.browser);
printScreens(screens);
const played = await measurePeople(screens);
printPeople(played);
publish('budget', toGoals(screens, played), {
  ...{ screens: { ...screens, products: [...screens.products], productsAgain: [...screens.productsAgain] } },
  played: { ...played, waits: { ...played.waits, byStatus: [...played.waits.byStatus] } },
});
