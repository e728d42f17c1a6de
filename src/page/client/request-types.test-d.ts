/** The compiler checks what must compile here, and what must not. */
import type { DeskProducts } from '#contract/desk/desk.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { ProductId } from '#contract/exchange/ids.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import type { ApiResponse } from '#model/response.ts';
import type { Api } from './create-api.ts';
import type { Queries } from './queries/create-queries.ts';

declare const api: Api;
declare const queries: Queries;
declare const id: ProductId;
declare const instant: Instant;
declare const day: Day;
declare const cursor: Cursor;

declare function takePrices(value: Promise<ApiResponse<PriceDataPoint[]>>): void;
declare function takeProducts(value: Promise<ApiResponse<DeskProducts>>): void;
declare function takeAny(value: unknown): void;
declare function takeOrders(rows: readonly Order[]): void;

export async function requestsFollowFromTheTable(): Promise<void> {
  takePrices(api.venue.chartPrice({ id, begin_time: instant, end_time: 'now' }));
  takeProducts(api.desk.products({}));
  takeOrders((await api.venue.orders({ day, limit: 100, order: 'asc', cursor })).value.data);
  void api.venue.chartVoi({ product_id: [id, id] });

  // @ts-expect-error -- the product is part of the path
  void api.venue.chartPrice({});
  // @ts-expect-error -- a product id is a branded number
  void api.venue.chartPrice({ id: 1547 });
  // @ts-expect-error -- the chart has no such parameter
  void api.venue.chartPrice({ id, limit: 5 });
  // @ts-expect-error -- a range begins at an instant, never at "now"
  void api.venue.chartVoi({ begin_time: 'now' });
  // @ts-expect-error -- only the volume chart takes several products
  void api.venue.ordersWorking({ product_id: [id, id] });
  // @ts-expect-error -- there is no such endpoint
  takeAny(api.venue.trades);
}

export function queriesTakeTheSameRequests(): void {
  queries.venue.trailingStatsAll();
  queries.venue.fundingEstimated({ base_symbol: 'BTCUC' }, { everySeconds: 120 });
  queries.desk.status();

  // @ts-expect-error -- the product is part of the path
  queries.venue.chartPrice();
}
