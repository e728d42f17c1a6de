/**
 * Code that must not compile. The compiler checks this file with all others: if a forbidden line compiles, the missing
 * error is itself an error.
 */
/* oxlint-disable typescript/no-unsafe-argument, typescript/restrict-plus-operands -- the linter rejects
   these lines too; here the compiler must */
import type {
  Cents,
  Contracts,
  FractionalTicks,
  PriceIncrement,
  RatePerInterval,
  Ticks,
  Usd,
  UsdText,
} from './amounts.ts';
import { fromNumber, toNumber } from './brand.ts';
import { compareInstants, type Day, type EpochNanos, type Instant } from './instant.ts';
import { ENDPOINTS, type Endpoint, type EndpointName } from './endpoints.ts';
import { compareOrderIds, isOrderId, type AckId, type OrderId, type ProductId } from './ids.ts';
import { wireText } from './row-notes.ts';
import type { Order } from './order.ts';
import type { Cursor } from './paging.ts';
import { createParser } from '../parse/parse.ts';
import type { Static } from './schema.ts';
import type { VOIDataPoint } from './market-data.ts';

declare const cents: Cents;
declare const otherCents: Cents;
declare const usd: Usd;
declare const usdText: UsdText;
declare const ticks: Ticks;
declare const fractionalTicks: FractionalTicks;
declare const contracts: Contracts;
declare const rate: RatePerInterval;
declare const increment: PriceIncrement;
declare const productId: ProductId;
declare const orderId: OrderId;
declare const otherOrderId: OrderId;
declare const ackId: AckId;
declare const instant: Instant;
declare const nanos: EpochNanos;
declare const day: Day;
declare const cursor: Cursor;
declare const order: Order;
declare const voi: VOIDataPoint;

declare function takeNumber(value: number | boolean): void;
declare function takeText(value: string): void;
declare function takeUsd(value: Usd): void;
declare function takeTicks(value: Ticks): void;
declare function takeContracts(value: Contracts): void;
declare function takeProductId(value: ProductId): void;
declare function takeOrderId(value: OrderId): void;
declare function takeInstant(value: Instant): void;
declare function takeCursor(value: Cursor): void;
declare function takeAll(...values: readonly unknown[]): void;

export function amountsDoNotMix(): void {
  // @ts-expect-error -- cents and dollars differ by a factor of 100
  takeNumber(cents + usd);
  // @ts-expect-error -- ticks become dollars only by the product's tick size
  takeNumber(ticks + usd);
  // @ts-expect-error -- amounts of different units cannot be added
  takeNumber(cents + otherCents);
  // @ts-expect-error -- a conversion belongs to the domain
  takeNumber(ticks * increment);
  // @ts-expect-error -- cents / 100 is not dollars without a conversion
  takeNumber(cents / 100);
  // @ts-expect-error -- annualising belongs to the domain
  takeNumber(rate * 3 * 365);
  // @ts-expect-error -- dollars in a text are not a number
  takeNumber(usdText * 2);
  // @ts-expect-error -- an amount cannot be compared with a number
  takeNumber(contracts > 0);
  // @ts-expect-error -- amounts of different units cannot be compared
  takeNumber(cents > usd);
  // @ts-expect-error -- an average price is not an order's price
  takeTicks(fractionalTicks);
  // @ts-expect-error -- cents are not dollars
  takeUsd(cents);
  // @ts-expect-error -- dollars in a text are not dollars in a number
  takeUsd(usdText);
  // @ts-expect-error -- an unwrapped amount has no unit
  takeUsd(toNumber(cents));

  takeNumber(toNumber(cents) / 100);
  takeUsd(fromNumber(toNumber(cents) / 100));
  takeNumber(cents > otherCents);
  takeText(usdText);
}

export function identifiersAreNoAmounts(): void {
  // @ts-expect-error -- a product id is not a count
  takeContracts(productId);
  // @ts-expect-error -- a count is not an id
  takeProductId(contracts);
  // @ts-expect-error -- the two cannot be compared
  takeNumber(productId === contracts);
  // @ts-expect-error -- a product id cannot be incremented
  takeNumber(productId + 1);
}

export function orderIdsAreNoNumbers(): void {
  // @ts-expect-error -- it goes beyond 2^53
  takeNumber(orderId);
  // @ts-expect-error -- compared with a number it would become one
  takeNumber(orderId > 5);
  // @ts-expect-error -- the difference of two would be rounded
  takeNumber(orderId - otherOrderId);
  // @ts-expect-error -- so would its sign
  takeNumber(+orderId - 1n);
  // @ts-expect-error -- an acknowledgement is not an order
  takeOrderId(ackId);
  // @ts-expect-error -- the two cannot be compared by order
  takeNumber(orderId < ackId);
  // @ts-expect-error -- or for equality
  takeNumber(orderId === ackId);
  // @ts-expect-error -- a plain text is not an order id
  takeOrderId('7674028327896836521');
  // @ts-expect-error -- a number is not an order id
  takeOrderId(7);

  // The compiler cannot reject this, so another check does: as text, 9 comes after 10.
  takeNumber(orderId < otherOrderId);

  takeNumber(compareOrderIds(orderId, otherOrderId));
  takeText(orderId);
  const text: string = orderId;
  if (isOrderId(text)) takeOrderId(text);
}

export function momentsDoNotMix(): void {
  // @ts-expect-error -- a day is not an instant
  takeInstant(day);
  // @ts-expect-error -- a plain text is not an instant
  takeInstant('2026-08-17T00:00:00Z');
  // @ts-expect-error -- nanoseconds and milliseconds cannot be added
  takeNumber(nanos + 5);
  // @ts-expect-error -- a day and an instant cannot be compared
  takeNumber(compareInstants(day, instant));
  // @ts-expect-error -- a plain text is not a cursor
  takeCursor(instant);

  // The compiler cannot reject this either: texts of the same time may have different digits.
  takeNumber(instant < instant);

  takeNumber(compareInstants(instant, instant));
  takeText(cursor);
}

export function wireValuesGetTheirMeaningFromTheParser(): void {
  const json = JSON.parse('5') as unknown;
  // @ts-expect-error -- a value of JSON.parse has no unit
  takeTicks(json);
  // @ts-expect-error -- a plain number has no unit
  takeTicks(17_502);
  // @ts-expect-error -- not even in an object literal
  const row: Pick<VOIDataPoint, 'volume'> = { volume: 27 };
  takeText(wireText(order, 'price'));
  takeText(row.volume === null ? '' : wireText({ volume: contracts }, 'volume'));
  // @ts-expect-error -- a null price stays null until it is shown
  takeText(wireText(order, 'avg_price'));
  // @ts-expect-error -- null is not zero
  takeContracts(voi.volume);
}

export function everyResponseHasItsType(): void {
  const working = createParser(ENDPOINTS.ordersWorking.response);
  const price: Ticks | undefined = working.tolerant('[]').value?.[0]?.price;
  const page = createParser(ENDPOINTS.fundingRates.response).strict('');
  const rates: readonly RatePerInterval[] = page.data.map((entry) => entry.funding_rate);
  const next: Cursor | null | undefined = page.pagination.cursor;
  const bids: readonly Order[] = working.strict('[]').filter(({ side }) => side === 'Bid');
  // @ts-expect-error -- a tolerant result may have no value
  working.tolerant('[]').value.length satisfies number;
  // @ts-expect-error -- the estimate has no mark
  createParser(ENDPOINTS.fundingEstimated.response).strict('').mark_price satisfies unknown;
  // @ts-expect-error -- there is no such endpoint
  const name: EndpointName = 'cancelOrder';
  // @ts-expect-error -- the interface only reads
  const method: Endpoint['method'] = 'POST';
  takeAll(price, rates, next, bids, name, method);
}

export function unlistedWordsAreHandled(): string {
  switch (order.side) {
    case 'Bid':
      return 'buys';
    case 'Ask':
      return 'sells';
    default:
      return order.side satisfies string;
  }
}

export type OrdersPage = Static<typeof ENDPOINTS.orders.response>;
