import type { OpaqueNumber } from '#contract/exchange/brand.ts';
import { formatInstant, type EpochNanos } from '#contract/exchange/instant.ts';
import type { Micros } from '../core/model.ts';

/** A row of the contract as plain JSON values: the same fields, without brands. */
export type Plain<T> = T extends string
  ? string
  : T extends OpaqueNumber<string>
    ? number
    : T extends readonly (infer Item)[]
      ? readonly Plain<Item>[]
      : T extends object
        ? { readonly [Field in keyof T]: Plain<T[Field]> }
        : T;

/** With microseconds, the resolution of the exchange's clock. */
export function toInstantText(micros: Micros): string {
  return formatInstant((BigInt(micros) * 1_000n) as EpochNanos, 6);
}

/** Truncates to whole dollars. */
export function toWholeUsd(cents: number): number {
  return (cents - (cents % 100)) / 100;
}

/** Null only where every value is: an unknown value of one product does not hide those of the others. */
export function sumKnown(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null);
}
