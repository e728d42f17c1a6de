import type { DeskProduct } from '#contract/desk/desk.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { nameLegs, type SpreadRow } from '#model/curve/spread-rows.ts';
import { formatMinutes } from '#model/basis/basis.ts';
import { formatInAllZones, formatInstant, type Zone } from '#model/format/format-time.ts';
import { countPriceDigits, formatNumber, NO_VALUE } from '#model/format/number.ts';
import { describeProvenance, type Fact } from '#model/format/provenance.ts';
import { toLegsAddress } from '#model/products/legs-address.ts';
import { toPriceAddress } from '#model/products/product-address.ts';
import { nameProduct } from '#model/products/product-directory.ts';
import { toMillis } from '#model/time/session.ts';
import type { Quantity } from '#model/units/quantity.ts';
import { linkCells } from '#page/kit/grid/cell-widgets.ts';
import type { Navigator } from '#page/kit/navigator.ts';
import type { FigureColumn } from '#page/panels/figure-grid.tsx';
import { putFirst } from '../shared/put-first.ts';

type Column = FigureColumn<SpreadRow>;

interface FigureInputs extends Pick<Column, 'id' | 'title' | 'unit' | 'width' | 'tooltip' | 'tone'> {
  readonly read: (row: SpreadRow) => Quantity | null;
  readonly digits: number;
  readonly isSigned?: boolean;
  /** Why there is no figure. */
  readonly why?: (row: SpreadRow) => string | null;
}

const whyNoSettlement = ({ missingBecause }: SpreadRow): string | null => missingBecause;

function toFigure({ read, digits, isSigned = false, why = whyNoSettlement, ...column }: FigureInputs): Column {
  return {
    ...column,
    kind: 'number',
    text: (row) => {
      const quantity = read(row);
      if (quantity === null) return NO_VALUE;
      return quantity.withheld === null ? formatNumber(quantity.value, { digits, signed: isSigned }) : 'n/a';
    },
    value: (row) => read(row)?.value?.toNumber() ?? null,
    explain: (row) => {
      const quantity = read(row);
      if (quantity !== null) return describeProvenance(quantity, formatInAllZones);
      return [{ name: 'No value', value: why(row) ?? 'Not published.' }];
    },
  };
}

/** `BUSU26: 5 USD per BTC`. */
function describeTick(product: DeskProduct): string {
  const size = wireText(product, 'price_increment');
  return `${nameProduct(product)}: ${size === undefined ? 'not published' : `${size} ${product.price_quotation_unit ?? 'USD'}`}`;
}

const LAST_TOOLTIP =
  'The last price against the last prices of the legs. Muted where these trades are more than an hour apart: it then ' +
  'contains what the market moved between them.';
/** Trades further apart say more of the market than of the spread. */
const MOST_APART = 60;

const whyNoLast = ({ lastPrices }: SpreadRow): string | null => lastPrices.missingBecause;

function toTone({ lastPrices }: SpreadRow): string | undefined {
  return (lastPrices.minutesApart ?? 0) > MOST_APART ? 'quiet' : undefined;
}

function explainTrades({ lastPrices }: SpreadRow): readonly Fact[] {
  const { trades, minutesApart, missingBecause } = lastPrices;
  return [
    ...(missingBecause === null ? [] : [{ name: 'No value', value: missingBecause }]),
    ...trades.map(({ name, at }) => ({ name, value: at === null ? 'no last trade' : formatInAllZones(at) })),
    ...(minutesApart === null ? [] : [{ name: 'Apart', value: formatMinutes(minutesApart) }]),
  ];
}

/** The columns of calendar spreads against their legs. */
export function createSpreadColumns(
  rows: readonly SpreadRow[],
  navigator: Navigator,
  zone: Zone,
  isNarrow: boolean,
): readonly Column[] {
  const digits = countPriceDigits(rows.map(({ settlement }) => settlement?.value?.toFixed() ?? null));
  const explainLegs = ({ product, legs }: SpreadRow): readonly Fact[] => [
    { name: 'Legs', value: nameLegs(legs) },
    { name: 'Tick sizes', value: [product, ...legs.map((leg) => leg.product)].map(describeTick).join('\n') },
  ];
  const apart = (isApart: boolean | undefined): string | undefined => (isApart === true ? 'attention' : undefined);
  const columns: readonly Column[] = [
    {
      ...{ id: 'spread', title: 'Spread', kind: 'text', width: 152, pinned: 'start' },
      text: ({ product }) => nameProduct(product),
      value: ({ product }) => product.final_settle_time ?? null,
      explain: explainLegs,
      ...linkCells<SpreadRow>(navigator, { to: ({ product }) => toPriceAddress(product) }),
    },
    toFigure({
      ...{ id: 'settlement', title: 'Settlement', unit: 'USD', width: 108, digits, isSigned: true },
      read: ({ settlement }) => settlement,
    }),
    toFigure({
      ...{ id: 'legs', title: 'Legs’ difference', unit: 'USD', width: 116, digits, isSigned: true },
      tooltip: 'Weight × settlement of each leg, added up. Only if all legs settled in the same session.',
      read: ({ legsUsd }) => legsUsd,
    }),
    toFigure({
      ...{ id: 'gapTicks', title: 'Settlement − legs', unit: 'ticks', width: 124, digits: 1, isSigned: true },
      tooltip: 'In ticks of the spread. Marked beyond one tick.',
      read: ({ settlementGap }) => settlementGap?.ticks ?? null,
      tone: ({ settlementGap }) => apart(settlementGap?.isApart),
    }),
    toFigure({
      ...{ id: 'gapUsd', title: 'Settlement − legs', unit: 'USD', width: 124, digits, isSigned: true },
      read: ({ settlementGap }) => settlementGap?.usd ?? null,
      tone: ({ settlementGap }) => apart(settlementGap?.isApart),
    }),
    toFigure({
      ...{ id: 'last', title: 'Last', unit: 'USD', width: 98, digits, isSigned: true },
      read: ({ last }) => last,
    }),
    toFigure({
      ...{ id: 'lastTicks', title: 'Last − legs', unit: 'ticks', width: 92, digits: 1, isSigned: true },
      tooltip: LAST_TOOLTIP,
      read: ({ lastPrices }) => lastPrices.gap?.ticks ?? null,
      why: whyNoLast,
      tone: toTone,
    }),
    toFigure({
      ...{ id: 'lastUsd', title: 'Last − legs', unit: 'USD', width: 98, digits, isSigned: true },
      tooltip: LAST_TOOLTIP,
      read: ({ lastPrices }) => lastPrices.gap?.usd ?? null,
      why: whyNoLast,
      tone: toTone,
    }),
    {
      ...{ id: 'oldestAt', title: 'Oldest trade', kind: 'number', width: 196 },
      tooltip: 'The oldest of the last trades of the spread and its legs, whose prices are compared.',
      text: ({ lastPrices: { oldestAt } }) => (oldestAt === null ? NO_VALUE : formatInstant(toMillis(oldestAt), zone)),
      value: ({ lastPrices }) => lastPrices.oldestAt,
      tone: toTone,
      explain: explainTrades,
    },
    {
      ...{ id: 'lastAt', title: 'Last trade', kind: 'number', width: 196 },
      text: ({ lastAt }) => (lastAt === null ? NO_VALUE : formatInstant(toMillis(lastAt), zone)),
      value: ({ lastAt }) => lastAt,
      tone: () => 'quiet',
      explain: ({ lastAt, last }) =>
        lastAt === null
          ? [{ name: 'No value', value: 'The exchange gives no time of a last trade for this spread.' }]
          : [
              { name: 'Traded', value: formatInAllZones(lastAt) },
              ...(last === null ? [] : describeProvenance(last, formatInAllZones)),
            ],
    },
    {
      ...{ id: 'compare', title: 'Legs', kind: 'text', width: 196, unsorted: true },
      text: ({ legs }) => nameLegs(legs),
      value: () => null,
      explain: explainLegs,
      ...linkCells<SpreadRow>(navigator, {
        to: ({ product }) => toLegsAddress(product, new URLSearchParams()),
        label: ({ legs }) => `Compare ${nameLegs(legs)}`,
      }),
    },
  ];
  return isNarrow ? putFirst(columns, ['spread', 'gapTicks', 'gapUsd']) : columns;
}
