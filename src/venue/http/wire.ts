import type { OpaqueNumber } from '#contract/brand.ts';
import { formatInstant, type EpochNanos } from '#contract/instant.ts';
import type { Micros } from '../model.ts';

/** A row of the contract as plain JSON values: same fields, numbers and texts without their brands. */
export type Plain<T> = T extends string
  ? string
  : T extends OpaqueNumber<string>
    ? number
    : T extends readonly (infer Item)[]
      ? readonly Plain<Item>[]
      : T extends object
        ? { readonly [Field in keyof T]: Plain<T[Field]> }
        : T;

/** Six fractional digits: what the exchange's own clock has. */
export function toInstantText(micros: Micros): string {
  return formatInstant((BigInt(micros) * 1_000n) as EpochNanos, 6);
}

/** Whole dollars; what is below a dollar is cut. */
export function toWholeUsd(cents: number): number {
  return (cents - (cents % 100)) / 100;
}

/** Null only where all are: what is not known of one product does not hide what is known of the others. */
export function sumKnown(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null);
}
