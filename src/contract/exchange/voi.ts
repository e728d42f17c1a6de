import { cents, contracts, day, productId, text } from './fields.ts';
import { notionalOf } from './notional-agreement.ts';
import { agreeing, nullable, row, type Static } from './schema.ts';

/** Clause 2.2: volume and open interest of one day. Null: not available, which is not zero. */
export const VOIDataPoint = agreeing(
  row('VOIDataPoint', 'Volume and open interest of one day. Notional values are in US cents.', {
    date: day('Date of the session.'),
    productId: productId('Product id; in a total, the first product of the request.'),
    baseSymbol: text('Base symbol of the product.'),
    volume: nullable(contracts('Volume in contracts.')),
    notionalVolume: nullable(cents('Notional value traded, in US cents.')),
    openInterest: nullable(contracts('Open interest in contracts, published the following morning.')),
    notionalOpenInterest: nullable(cents('Notional value of the open interest, in US cents.')),
  }),
  notionalOf('volume', 'notionalVolume'),
  notionalOf('openInterest', 'notionalOpenInterest'),
);
export type VOIDataPoint = Static<typeof VOIDataPoint>;
