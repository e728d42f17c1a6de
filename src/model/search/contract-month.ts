import type { DeskProduct } from '#contract/desk/desk.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { dateOf } from '../time/session.ts';

const MONTH_CODES = 'FGHJKMNQUVXZ';
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

export type FindById = (id: number) => DeskProduct | undefined;

/** Everything that a contract month is called by: of a spread, the months of its legs; of an option, that of its underlying. */
export function toMonthNames(product: DeskProduct, findById: FindById): readonly string[] {
  const related = [
    ...(product.legs ?? []).map(({ product_id }) => product_id),
    ...(product.underlying_product === undefined ? [] : [product.underlying_product]),
  ];
  const products = [product, ...related.flatMap((id) => findById(toNumber(id)) ?? [])];
  return [...new Set(products.flatMap(toOwnMonthNames))];
}

function toOwnMonthNames({ month, year, final_settle_time: settles }: DeskProduct): readonly string[] {
  const [settleYear, settleMonth] = settles === undefined ? [] : dateOf(settles).split('-').map(Number);
  const index = month === undefined ? (settleMonth ?? 0) - 1 : MONTH_CODES.indexOf(month.toUpperCase());
  const name = MONTHS[index];
  const fullYear = year ?? settleYear;
  if (name === undefined || fullYear === undefined) return [];
  const [code, short, years] = [MONTH_CODES.charAt(index).toLowerCase(), name.slice(0, 3), String(fullYear)];
  const twoDigits = years.slice(-2);
  return [
    code,
    short,
    name,
    years,
    twoDigits,
    `${code}${twoDigits}`,
    `${code}${years.slice(-1)}`,
    `${short}${twoDigits}`,
    `${short}${years}`,
  ];
}
