import { useMemo } from 'react';
import type { ApiResponse } from '#api/api-response.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { PERIOD_LABELS, WHOLE_FIRST_BAR, type Bar } from '#domain/bars.ts';
import { formatDay } from '#domain/format-time.ts';
import { ChartFrame } from '#ui/chart/chart-frame.tsx';
import { withNotes } from '#ui/chart/with-provenance.ts';
import { download } from '#ui/download.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { LeftOut } from '#ui/panel/left-out.tsx';
import type { NamedProduct } from '#domain/find-product.ts';
import { toPriceCsv } from './price-csv.ts';
import { toPriceData, type PriceData } from './price-data.ts';
import { PRICE_PARAMS } from '../price-params.ts';
import { createSlotProvenance, type Prices } from './slot-provenance.ts';
import { describeBareDays, describeVolatility, summarisePrices } from './price-summary.ts';
import { findPercentBase, toPricePicture } from './to-price-picture.ts';
import { useAfterPaint } from './use-after-paint.ts';

interface PriceChartProps {
  readonly named: NamedProduct;
  readonly prices: Prices;
  readonly voi: { readonly data: ApiResponse<readonly VOIDataPoint[]> | undefined; readonly error: Error | null };
  readonly subject: string;
}

const NONE: readonly VOIDataPoint[] = [];

/** Candles, volume and open interest below each other. */
export function PriceChart({ named, prices, voi, subject }: PriceChartProps) {
  const [period] = useUrlState(PRICE_PARAMS.period);
  const [gaps] = useUrlState(PRICE_PARAMS.gaps);
  const [scale, setScale] = useUrlState(PRICE_PARAMS.scale);
  const [view, setView] = useUrlState(PRICE_PARAMS.view);
  const points = prices.value;
  const rows = voi.data?.value;
  const data = useMemo(() => toPriceData(points, rows ?? NONE, period), [points, rows, period]);
  const base = scale === 'percent' ? findPercentBase(data) : null;
  const bare = useMemo(() => toPricePicture(data, { gaps, base, hasOpenInterest: rows !== undefined || voi.error === null }), [data, gaps, base, rows, voi.error]);
  const picture = useMemo(() => withNotes(bare, createSlotProvenance(data.slots, prices, voi.data)), [bare, data, prices, voi.data]);
  const summary = useSummary(data);
  const last = data.daily.at(-1)?.lastDate ?? '';
  const fileName = `${named.name}-${period}-${last}`;
  return (
    <ChartFrame
      label={`${named.name}, prices in USD, ${PERIOD_LABELS[period]}`}
      {...{ summary, picture, scale, view, fileName }}
      subject={`${subject} ${period}`}
      onScale={setScale}
      onView={setView}
      actions={
        <button
          type="button"
          onClick={() => {
            download(`${fileName}.csv`, toPriceCsv(data, named, { prices, voi: voi.data }));
          }}
        >
          CSV
        </button>
      }
      remarks={
        <>
          <span>{PERIOD_LABELS[period]}</span>
          {period !== '1D' && <span>{WHOLE_FIRST_BAR}</span>}
          <span>{rows === undefined ? 'sessions without trades cannot be counted' : describeBareDays(data.bareDays)}</span>
          {scale === 'percent' && <span>{describeBase(base)}</span>}
          {rows !== undefined && <Deviation data={data} />}
          <span>Open interest is daily, published the morning after{voi.error === null ? '.' : `; it could not be read: ${voi.error.message}`}</span>
          <LeftOut count={prices.setAside.length + (voi.data?.setAside.length ?? 0)} />
        </>
      }
    />
  );
}

function describeBase(base: Bar | null): string {
  return base === null ? 'The first settlement is not above zero and has no percent: prices are drawn as they are.' : `Prices in percent from the settlement of ${formatDay(base.lastDate)}.`;
}

/** The chart in sentences, once it is there to be seen. */
function useSummary(data: PriceData): string {
  const painted = useAfterPaint(data, null);
  return useMemo(() => (painted === null ? '' : summarisePrices(painted)), [painted]);
}

/** Not worth waiting for: the chart is drawn first. */
function Deviation({ data }: { readonly data: PriceData }) {
  const painted = useAfterPaint(data, null);
  const text = useMemo(() => painted && describeVolatility(painted), [painted]);
  return text === null ? null : <span>{text}</span>;
}
