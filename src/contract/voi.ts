import { cents, contracts, day, productId, text } from './fields.ts';
import { nullable, row, type Static } from './schema.ts';

/** Clause 2.2: volume and open interest of one day. A null says that the figure is not available: it is not zero. */
export const VOIDataPoint = row('VOIDataPoint', 'Volume and open interest of one day; notional figures in cents.', {
  date: day('The session’s date.'),
  productId: productId('The product; for an aggregate, the first product asked for.'),
  baseSymbol: text('Base symbol of the product.'),
  volume: nullable(contracts('Contracts traded.')),
  notionalVolume: nullable(cents('Value traded, in cents.')),
  openInterest: nullable(contracts('Contracts open, published once, the following morning.')),
  notionalOpenInterest: nullable(cents('Value of the contracts open, in cents.')),
});
export type VOIDataPoint = Static<typeof VOIDataPoint>;
