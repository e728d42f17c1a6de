import type { Fault } from './fault.ts';
import { ORDER_FAULTS } from './orders.ts';
import { PRICE_FAULTS } from './prices.ts';
import { PRODUCT_FAULTS } from './products.ts';
import { RATE_FAULTS, REVISED_RATE_FAULTS } from './rates.ts';
import { TRADING_FAULTS } from './trading.ts';
import { TRANSPORT_FAULTS } from './transport.ts';
import { VOLUME_FAULTS } from './volumes.ts';

/** The ways in which responses of the exchange can be wrong, each with how the screens show it. */
export const CATALOGUE: readonly Fault[] = [
  ...PRICE_FAULTS,
  ...VOLUME_FAULTS,
  ...RATE_FAULTS,
  ...REVISED_RATE_FAULTS,
  ...PRODUCT_FAULTS,
  ...TRADING_FAULTS,
  ...ORDER_FAULTS,
  ...TRANSPORT_FAULTS,
];
