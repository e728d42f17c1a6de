import {
  USD_TEXT_PATTERN,
  type Cents,
  type Contracts,
  type FractionalTicks,
  type RatePerInterval,
  type Ticks,
  type Usd,
  type UsdText,
} from './amounts.ts';
import type { Day } from './day.ts';
import { BIG_ID_PATTERN, type AckId, type OrderId, type ProductId } from './ids.ts';
import type { Instant } from './instant.ts';
import { scalar } from './schema.ts';

/**
 * The kinds of field that resources are made of: each ties a JSON form and a unit to its branded type. Units, signs and
 * ranges are those of the types (`amounts.ts`, `ids.ts`).
 */

export const text = (description: string) => scalar<string>({ type: 'string', description });
export const flag = (description: string) => scalar<boolean>({ type: 'boolean', description });
export const number = (description: string) => scalar<number>({ type: 'number', description });
export const integer = (description: string) => scalar<number>({ type: 'integer', description });

export const instant = (description: string) => scalar<Instant>({ type: 'string', format: 'date-time', description });

export const day = (description: string) => scalar<Day>({ type: 'string', format: 'date', description });

export const productId = (description: string) => scalar<ProductId>({ type: 'integer', minimum: 1, description });

export const orderId = (description: string) =>
  scalar<OrderId>({ type: 'string', pattern: BIG_ID_PATTERN.source, description });

export const ackId = (description: string) =>
  scalar<AckId>({ type: 'string', pattern: BIG_ID_PATTERN.source, description });

export const usdText = (description: string) =>
  scalar<UsdText>({ type: 'string', pattern: USD_TEXT_PATTERN.source, 'x-unit': 'usd', description });

export const usd = (description: string) => scalar<Usd>({ type: 'number', 'x-unit': 'usd', description });

export const cents = (description: string) => scalar<Cents>({ type: 'integer', 'x-unit': 'cents', description });

export const contracts = (description: string) =>
  scalar<Contracts>({ type: 'integer', minimum: 0, 'x-unit': 'contracts', description });

export const ticks = (description: string) => scalar<Ticks>({ type: 'integer', 'x-unit': 'ticks', description });

export const fractionalTicks = (description: string) =>
  scalar<FractionalTicks>({ type: 'number', 'x-unit': 'ticks', description });

export const ratePerInterval = (description: string) =>
  scalar<RatePerInterval>({ type: 'number', 'x-unit': 'rate per interval', description });
