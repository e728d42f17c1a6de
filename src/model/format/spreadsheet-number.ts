import type { Decimal } from '../units/decimal.ts';

/** Spreadsheets keep as many significant digits of a number, and some read a longer one as text. */
const DIGITS = 15;

/** A computed number for a file. Numbers of the exchange are written as received. */
export function toSpreadsheetNumber(value: Decimal | null): { readonly digits: string } | null {
  return value && { digits: value.toSignificantDigits(DIGITS).toFixed() };
}
