import type { FundingInterval, PremiumSample, Session, Trade } from '../core/model.ts';
import type { Cell, Row } from '#sql/driver.ts';

export function toTradeRow(trade: Trade, seq: number): Row {
  return [seq, trade.productId, trade.time, trade.price, trade.quantity, trade.cents];
}

export function toTrade([, productId, time, price, quantity, cents]: Row): Trade {
  return {
    productId: Number(productId),
    time: Number(time),
    price: Number(price),
    quantity: Number(quantity),
    cents: Number(cents),
  };
}

export function toSessionRow(session: Session): Row {
  const { ohlc } = session;
  return [
    session.productId,
    session.date,
    session.settledAt,
    ohlc?.open ?? null,
    ohlc?.high ?? null,
    ohlc?.low ?? null,
    ohlc?.close ?? null,
    session.settlement,
    session.volume,
    session.cents,
    session.openInterest,
    session.openInterestCents,
  ];
}

export function toSession(row: Row): Session {
  const [productId, day, settledAt, open, high, low, close, settlement, volume, cents, interest, interestCents] = row;
  const traded = open !== null;
  return {
    productId: Number(productId),
    date: String(day),
    settledAt: Number(settledAt),
    ohlc: traded ? { open: Number(open), high: Number(high), low: Number(low), close: Number(close) } : null,
    settlement: Number(settlement),
    volume: toNullable(volume),
    cents: toNullable(cents),
    openInterest: toNullable(interest),
    openInterestCents: toNullable(interestCents),
  };
}

export function toFundingRow(interval: FundingInterval): Row {
  const { productId, start, end, index, mark, interestRate, rate } = interval;
  return [productId, start, end, index, mark, interestRate, rate];
}

export function toFunding([productId, start, end, index, mark, interestRate, rate]: Row): FundingInterval {
  return {
    productId: Number(productId),
    start: Number(start),
    end: Number(end),
    index: Number(index),
    mark: Number(mark),
    interestRate: Number(interestRate),
    rate: Number(rate),
  };
}

export function toSampleRow({ productId, intervalStart, i, premium }: PremiumSample): Row {
  return [productId, intervalStart, i, premium];
}

export function toSample([productId, intervalStart, i, premium]: Row): PremiumSample {
  return {
    productId: Number(productId),
    intervalStart: Number(intervalStart),
    i: Number(i),
    premium: Number(premium),
  };
}

function toNullable(cell: Cell | undefined): number | null {
  return cell === null ? null : Number(cell);
}
