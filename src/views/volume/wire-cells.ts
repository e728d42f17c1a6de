import type { VOIDataPoint } from '#contract/voi.ts';
import type { Cell } from '#ui/csv.ts';

/** Contracts and cents are whole and far below the largest safe integer; a missing figure is an empty cell. */
export function wireCells(row: VOIDataPoint, together: string | null): readonly Cell[] {
  const { date, productId, baseSymbol, volume, notionalVolume, openInterest, notionalOpenInterest } = row;
  const name = together ?? String(productId);
  return [date, Number(String(productId)), baseSymbol, name, whole(volume), usd(notionalVolume), whole(notionalVolume), whole(openInterest), usd(notionalOpenInterest), whole(notionalOpenInterest)];
}

type Amount = VOIDataPoint['volume'] | VOIDataPoint['notionalVolume'];

function whole(value: Amount): Cell {
  return value === null ? null : BigInt(String(value));
}

/** Cents are moved behind the point as text: nothing is rounded. */
function usd(cents: Amount): Cell {
  if (cents === null) return null;
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
