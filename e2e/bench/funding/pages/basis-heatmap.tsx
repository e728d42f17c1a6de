/** The basis of 30 months over two years, from daily prices to the heatmap. */
import { createRoot } from 'react-dom/client';
import type { DeskProduct } from '../../../../src/contract/desk/desk.ts';
import type { Day, Instant } from '../../../../src/contract/exchange/instant.ts';
import type { PriceDataPoint } from '../../../../src/contract/exchange/market-data.ts';
import { keepReadable } from '../../../../src/model/charts/heatmap.ts';
import { type DatedProduct, toBasisHistory } from '../../../../src/model/curve/history/basis-history.ts';
import { describeHistoryFigure, explainHistoryFigure } from '../../../../src/model/curve/history/history-chart.ts';
import { listHistoryMarks, toHistoryHeat } from '../../../../src/model/curve/history/history-heatmap.ts';
import { addDays, addMonths, weekdayOf } from '../../../../src/model/time/session.ts';
import { Heatmap } from '../../../../src/page/kit/heatmap/heatmap.tsx';
import { isDrawn, present } from '../stage.ts';
import { Around } from './around.tsx';

const [FROM, UNTIL] = ['2024-11-27' as Day, '2026-11-27' as Day];
const MONTHS = 30;
const SATURDAY = 6;

const days: Day[] = [];
for (let day = FROM; day <= UNTIL; day = addDays(day, 1)) days.push(day);

const source = {
  endpoint: 'chartPrice',
  target: '/api/web/charts/price/1',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: null,
  cache: 'hit',
  requestId: null,
} as const;

function toPrices(sessions: readonly Day[], level: number) {
  const value = sessions.map((date, at) => {
    const settlementPrice = (level + ((at * 37) % 900)).toFixed(10);
    return { date, time: `${date}T21:00:00.000000Z`, settlementPrice, ohlc: {} } as unknown as PriceDataPoint;
  });
  return { ...source, value };
}

const months = Array.from({ length: MONTHS }, (_, at) => {
  const expires = addMonths(FROM, at + 1);
  const first = addMonths(expires, -9);
  const sessions = days.filter((day) => day >= first && day <= expires && weekdayOf(day) < SATURDAY);
  const times = { first_trading_day: first, final_settle_time: `${expires}T21:00:00Z` as Instant };
  const product = { product_id: at, symbol: `M${String(at)}`, type: 'future', ...times } as unknown as DatedProduct;
  return { product, prices: toPrices(sessions, 101_000 + at * 100) };
});
const perpetual = {
  product: { product_id: MONTHS, symbol: 'P', type: 'perpetual' } as unknown as DeskProduct,
  prices: toPrices(days, 100_000),
};

present((root) => {
  const history = toBasisHistory({ underlying: 'BTC', baseSymbol: 'BUS', from: FROM, until: UNTIL }, months, perpetual);
  const { lines, sessions } = history;
  const marks = listHistoryMarks(sessions);
  createRoot(root).render(
    <Around>
      <Heatmap
        label="Basis"
        summary=""
        noun="basis"
        elsewhere=""
        names={lines.map(({ name }) => name)}
        keys={sessions}
        rows={lines.map(toHistoryHeat)}
        marksOf={(width) => keepReadable(marks, { columns: sessions.length, width, every: 18 })}
        describe={({ row, column }) => {
          const line = lines[row];
          return line === undefined ? '' : describeHistoryFigure(history, line, column, 'aYear');
        }}
        explain={({ row, column }) => {
          const line = lines[row];
          return line === undefined ? [] : explainHistoryFigure(history, line, column, 'aYear');
        }}
      />
    </Around>,
  );
}, isDrawn);
