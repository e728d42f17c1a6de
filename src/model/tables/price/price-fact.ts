import type { Instant } from '#contract/exchange/instant.ts';
import type { Quantity } from '../../units/quantity.ts';

/** A figure of the header, in one unit. */
export interface PriceFact {
  readonly name: string;
  readonly quantity: Quantity;
  readonly signed?: boolean;
  /** After the point; without it, as many as published. */
  readonly digits?: number;
  readonly remark?: string;
  /** The time of the figure, where that is not a day. */
  readonly at?: Instant;
  /** What it says, in words. */
  readonly meaning?: string;
  /** A fraction that is shown in basis points. */
  readonly inBasisPoints?: boolean;
  /** Why it is out of date, or null. */
  readonly notCurrent?: string | null;
  /** Of the price of a trade: when it was. */
  readonly tradedAt?: Instant;
}
