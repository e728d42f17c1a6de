import {
  USD_TEXT_PATTERN,
  type Cents,
  type Contracts,
  type FractionalTicks,
  type PriceIncrement,
  type RatePerInterval,
  type Ticks,
  type Usd,
  type UsdText,
} from './amounts.ts';
import type { Day, Instant } from './instant.ts';
import { BIG_ID_PATTERN, type AckId, type OrderId, type ProductId } from './ids.ts';
import { scalar } from './schema.ts';

/**
 * Kinds of fields. Each ties a JSON type and a unit to its branded type. `amounts.ts` and `ids.ts` document units,
 * signs and ranges.
 */

/** Without a format, client generators use 32 bits, which is too few for amounts in cents and for prices. */
const WHOLE = { type: 'integer', format: 'int64' } as const;
const FRACTION = { type: 'number', format: 'double' } as const;

export const text = (description: string) => scalar<string>({ type: 'string', description });
export const shortText = (maxLength: number, description: string) =>
  scalar<string>({ type: 'string', maxLength, description });
export const flag = (description: string) => scalar<boolean>({ type: 'boolean', description });
export const number = (description: string) => scalar<number>({ ...FRACTION, description });
/** A factor. Zero or a negative factor would make figures zero or invert their sign. */
export const positiveNumber = (description: string) =>
  scalar<number>({ ...FRACTION, exclusiveMinimum: 0, description });
export const integer = (description: string) => scalar<number>({ ...WHOLE, description });

export const instant = (description: string) => scalar<Instant>({ type: 'string', format: 'date-time', description });

export const day = (description: string) => scalar<Day>({ type: 'string', format: 'date', description });

export const productId = (description: string) => scalar<ProductId>({ ...WHOLE, minimum: 1, description });

/** A code that identifies an owner: with a space at an end, it would be another one. */
export const ownerCode = (description: string) =>
  scalar<string>({ type: 'string', pattern: '^\\S([\\s\\S]*\\S)?$', description });

export const orderId = (description: string) =>
  scalar<OrderId>({ type: 'string', pattern: BIG_ID_PATTERN.source, description });

export const ackId = (description: string) =>
  scalar<AckId>({ type: 'string', pattern: BIG_ID_PATTERN.source, description });

export const usdText = (description: string) =>
  scalar<UsdText>({ 'type': 'string', 'pattern': USD_TEXT_PATTERN.source, 'x-unit': 'usd', description });

export const priceIncrement = (description: string) =>
  scalar<PriceIncrement>({ ...FRACTION, 'exclusiveMinimum': 0, 'x-unit': 'usd per tick', description });

export const usd = (description: string) => scalar<Usd>({ ...FRACTION, 'x-unit': 'usd', description });

export const cents = (description: string) => scalar<Cents>({ ...WHOLE, 'x-unit': 'cents', description });

export const contracts = (description: string) =>
  scalar<Contracts>({ ...WHOLE, 'minimum': 0, 'x-unit': 'contracts', description });

export const ticks = (description: string) => scalar<Ticks>({ ...WHOLE, 'x-unit': 'ticks', description });

export const fractionalTicks = (description: string) =>
  scalar<FractionalTicks>({ ...FRACTION, 'x-unit': 'ticks', description });

export const ratePerInterval = (description: string) =>
  scalar<RatePerInterval>({ ...FRACTION, 'x-unit': 'rate per interval', description });
