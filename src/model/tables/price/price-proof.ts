import type { ApiResponse, Source } from '../../response.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import type { Json } from '../../evidence/evidence.ts';
import type { NamedProduct } from '../../products/product-directory.ts';
import type { RunningSession } from '../../price/running-session.ts';
import type { PriceData } from '../../charts/price/price-data.ts';
import type { checkHeader } from './price-facts.ts';

interface ConversionInputs {
  readonly running: RunningSession | null;
  readonly checks: ReturnType<typeof checkHeader>;
  readonly directory: Source | undefined;
}

interface ChartResponses {
  readonly prices: ApiResponse<readonly unknown[]>;
  readonly voi: ApiResponse<unknown> | undefined;
}

/** States whether each session with volume has prices. */
export function toPriceProof(
  { slots, daily, daysWithoutPrices: { unpriced }, badTicks }: PriceData,
  { prices, voi }: ChartResponses,
): Json {
  const setAside = prices.setAside.length + (voi?.setAside.length ?? 0);
  return {
    complete: setAside === 0 && unpriced.length === 0 && voi !== undefined,
    why_not: [
      ...(setAside > 0 ? [`${String(setAside)} sessions failed validation.`] : []),
      ...(voi === undefined ? ['The exchange offers no volume to compare with.'] : []),
      ...unpriced.map((day) => `The session of ${day} had volume, but has no prices.`),
    ],
    rows: slots.length,
    sessions_received: prices.value.length,
    sessions_charted: daily.length,
    failed_validation: setAside,
    sessions_with_volume_but_no_prices: unpriced,
    bad_ticks: badTicks.map((tick) => ({ ...tick })) as Json,
    prices: toReading(prices),
    volume: voi === undefined ? null : toReading(voi),
  };
}

function toReading({ target, respondedAt, staleBecause }: ApiResponse<unknown>): Json {
  return { answer: `GET ${target}`, read_at: respondedAt, stale_because: staleBecause };
}

/** Lists conversions. Chart prices are published in USD; only the running session is in ticks. */
export function toPriceConversions(
  { id, product }: NamedProduct,
  { running, checks, directory }: ConversionInputs,
): readonly Json[] {
  const increment = product === null ? undefined : wireText(product, 'price_increment');
  return [
    { rule: 'Prices of settled sessions are published in USD: no conversion.', field: 'ohlc, settlementPrice' },
    { rule: 'Volume and open interest in contracts, as published.', field: 'volume, openInterest' },
    {
      rule:
        running === null
          ? 'No running session, so nothing is converted from ticks.'
          : 'The running session: USD = ticks × usd_per_tick.',
      product_id: String(id),
      symbol: product?.symbol ?? null,
      usd_per_tick: increment ?? null,
      contract_size: (product === null ? undefined : wireText(product, 'contract_size')) ?? null,
      withheld: checks.check?.reason ?? null,
      answer: directory === undefined ? null : `GET ${directory.target}`,
    },
  ];
}
