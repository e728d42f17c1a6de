import { formatCount } from '../../format/count.ts';
import type { ApiResponse } from '../../response.ts';
import type { PriceDataPoint, VOIDataPoint } from '#contract/exchange/market-data.ts';
import { BAD_TICK_RULE, type TradedPrice } from '../../price/bad-ticks.ts';
import { orderSessions } from '../../price/bars.ts';
import { toChange } from '../../price/change.ts';
import { RUNNING_FIELDS } from '../../price/running-session.ts';
import {
  asContracts,
  asUsd,
  deriveQuantity,
  type Quantity,
  type QuantityUnit,
  toQuantity,
} from '../../units/quantity.ts';
import { sumOf, type Decimal } from '../../units/decimal.ts';
import { describeFigure, type ProvenanceLine } from '../../format/provenance.ts';
import { toVoiQuantity } from '../../voi/voi-bars.ts';
import type { ReadoutProvenance } from '../chart-data.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { findBadPrices, findBefore, type PriceSlot } from './price-data.ts';

export type Prices = ApiResponse<readonly PriceDataPoint[]>;

export function createSlotProvenance(
  slots: readonly PriceSlot[],
  prices: Prices,
  voi: ApiResponse<readonly VOIDataPoint[]> | undefined,
  changeIn: '%' | 'USD' = '%',
): ReadoutProvenance {
  const note = (read: (slot: PriceSlot, index: number) => Quantity | null) => (index: number) => {
    const slot = slots[index];
    return describeFigure(slot === undefined ? null : read(slot, index), formatInAllZones);
  };
  const price = (field: TradedPrice) => {
    const plain = note((slot) => toPrice(slot, prices, field));
    return (index: number) => [...explainBadTick(slots[index], field), ...plain(index)];
  };
  const settlement = (slot: PriceSlot): Quantity | null => toSettlement(sessionsOf(slot, prices), prices);
  return {
    'Open': price('open'),
    'High': price('high'),
    'Low': price('low'),
    'Close': price('close'),
    'Settlement': note(settlement),
    'Change': note((slot, index) => {
      const before = findBefore(slots, index);
      const from = before === undefined ? null : settlement(before);
      return slot.running === null
        ? toSlotChange(from, settlement(slot), 'Settlement', changeIn)
        : toSlotChange(from, slot.running.last, 'Last price', changeIn);
    }),
    'Volume': note((slot) => toVolume(slot, prices)),
    'Open interest': note((slot) =>
      voi === undefined || slot.voi === null ? null : toVoiQuantity(voi.value, voi, slot.voi, 'openInterest'),
    ),
  };
}

function explainBadTick(slot: PriceSlot | undefined, field: TradedPrice): readonly ProvenanceLine[] {
  return slot !== undefined && findBadPrices(slot).includes(field)
    ? [{ name: 'Suspected bad tick', value: BAD_TICK_RULE }]
    : [];
}

function sessionsOf({ bar }: PriceSlot, { value }: Prices): readonly PriceDataPoint[] {
  return bar === null ? [] : orderSessions(value).filter(({ date }) => date >= bar.date && date <= bar.lastDate);
}

type Compute = (values: readonly Decimal[]) => Decimal | null;

/** How each price of a bar is computed from several sessions. */
const AGGREGATES: Readonly<Record<TradedPrice, readonly [what: string, compute: Compute]>> = {
  open: ['Open of the first', (values) => values[0] ?? null],
  high: ['Highest', (values) => pick(values, (value, best) => value.gt(best))],
  low: ['Lowest', (values) => pick(values, (value, best) => value.lt(best))],
  close: ['Close of the last', (values) => values.at(-1) ?? null],
};

function pick(values: readonly Decimal[], isBetter: (value: Decimal, best: Decimal) => boolean): Decimal | null {
  return values.reduce<Decimal | null>((best, value) => (best === null || isBetter(value, best) ? value : best), null);
}

function toPrice(slot: PriceSlot, source: Prices, field: TradedPrice): Quantity | null {
  const [what, compute] = AGGREGATES[field];
  const settled = sessionsOf(slot, source).map((point) =>
    toQuantity({ source, dataTime: point.date, prefix: 'ohlc.' }, point.ohlc, field, asUsd),
  );
  return aggregate(
    'USD',
    what,
    [...settled, ...(slot.running === null ? [] : [slot.running[RUNNING_FIELDS[field]]])],
    compute,
  );
}

function toVolume(slot: PriceSlot, source: Prices): Quantity | null {
  const settled = sessionsOf(slot, source).map((point) =>
    toQuantity({ source, dataTime: point.date, prefix: 'ohlc.' }, point.ohlc, 'volume', asContracts),
  );
  return aggregate('contracts', 'Sum', [...settled, ...(slot.running === null ? [] : [slot.running.volume])], sumOf);
}

/** Returns a single session’s figure as published, and computes one from several. */
function aggregate(unit: QuantityUnit, what: string, sessions: readonly Quantity[], compute: Compute): Quantity | null {
  const [first] = sessions;
  if (first === undefined || sessions.length === 1) return first ?? null;
  return deriveQuantity(unit, `${what} of ${formatCount(sessions.length)} sessions.`, sessions, compute);
}

function toSettlement(sessions: readonly PriceDataPoint[], source: Prices): Quantity | null {
  const last = sessions.at(-1);
  return last === undefined ? null : toQuantity({ source, dataTime: last.date }, last, 'settlementPrice', asUsd);
}

function toSlotChange(before: Quantity | null, now: Quantity | null, what: string, unit: '%' | 'USD'): Quantity | null {
  if (before === null || now === null) return null;
  const part = unit === 'USD' ? 'absolute' : 'fraction';
  return deriveQuantity(
    unit === 'USD' ? 'USD' : 'fraction',
    `${what} ${unit === 'USD' ? 'minus' : 'vs.'} previous settlement.`,
    [before, now],
    ([from, to]) => (from && to ? toChange(from, to)[part] : null),
  );
}
