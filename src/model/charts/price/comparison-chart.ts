import { describeFigure } from '../../format/provenance.ts';
import { formatDay, formatInAllZones } from '../../format/format-time.ts';
import { countOf } from '../../format/count.ts';
import { formatNumber, formatPercent } from '../../format/number.ts';
import { toDailyBars } from '../../price/bars.ts';
import { BAR_DATE_LABELS, type Period } from '../../time/date-range.ts';
import { type Decimal, toDecimal } from '../../units/decimal.ts';
import type { Quantity } from '../../units/quantity.ts';
import { type ChartData, inPercent, type Pane, type Readout, type Scale, type SeriesInk } from '../chart-data.ts';
import { type ComparedSession, findLaterSession, type SettledProduct, toComparedPrice } from './compared-sessions.ts';
import { COMPARED_AS, type ComparedAs } from './compared-as.ts';
import type { ComparedLine, Comparison } from './comparison.ts';
import { priceDigits } from './price-chart.ts';

/** The inks of the shown product and of those that it is compared with. */
const INKS: readonly SeriesInk[] = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5'];

interface ChartOptions {
  readonly panes: readonly ComparedAs[];
  readonly scale: Scale;
  /** Whether the lines of a product are hidden, by its name. */
  readonly isHidden: (name: string) => boolean;
}

/** Draws the chosen panes of a comparison that have a line. Every figure of a session is in its one column. */
export function toComparisonChartData(comparison: Comparison, { panes, scale, isHidden }: ChartOptions): ChartData {
  const { sessions, products, period } = comparison;
  const digits = toDigits(products);
  const drawn = COMPARED_AS.filter((as) => panes.includes(as)).map((as) => ({
    as,
    lines: comparison.lines.filter((line) => line.as === as),
  }));
  return {
    times: sessions.map(({ key }) => key),
    timeName: BAR_DATE_LABELS[period],
    timeText: (index) => describeSession(sessions[index], period),
    panes: drawn
      .filter(({ lines }) => lines.length > 0)
      .map((pane) => toPane(comparison, pane, { digits, scale, isHidden })),
    readouts: products.flatMap((product) => [
      ...toReadouts(comparison, product, { drawn: drawn.flatMap(({ lines }) => lines), digits }),
    ]),
  };
}

/** Whether a chosen pane would be drawn. */
export function hasPanes({ lines }: Comparison, panes: readonly ComparedAs[]): boolean {
  return lines.some(({ as }) => panes.includes(as));
}

/** `10 Aug 2026, session of 14 Aug 2026` for a week. */
function describeSession(one: ComparedSession | undefined, period: Period): string {
  if (one === undefined) return '';
  const { key, session, isRunning } = one;
  return `${formatDay(key)}${period === '1D' ? '' : `, session of ${formatDay(session)}`}${isRunning ? ', in progress' : ''}`;
}

function toDigits(products: readonly SettledProduct[]): number {
  return Math.max(...products.map(({ prices }) => priceDigits(toDailyBars(prices.value))));
}

interface PaneLines {
  readonly as: ComparedAs;
  readonly lines: readonly ComparedLine[];
}

interface PaneOptions extends Pick<ChartOptions, 'scale' | 'isHidden'> {
  readonly digits: number;
}

function toPane(
  { products, sessions, reference }: Comparison,
  { as, lines }: PaneLines,
  { digits, scale, isHidden }: PaneOptions,
): Pane {
  const factor = as === 'basis' ? 100 : 1;
  const common = {
    share: 1,
    // The price of a spread is often that of its legs, and is dashed over it.
    series: lines
      .toSorted((a, b) => Number(a.isOwnPrice) - Number(b.isOwnPrice))
      .map((line) => ({
        kind: 'line' as const,
        ink: inkOf(products.indexOf(line.product)),
        ...(line.isOwnPrice && { stroke: 'dashed' as const }),
        hidden: isHidden(line.product.name),
        values: sessions.map((session) => toNumber(line.at(session).value, factor)),
      })),
  };
  switch (as) {
    case 'rebased': {
      const pane = { ...common, name: 'Rebased to 100', unit: '', logarithmic: true, format: toFixed(1) };
      return scale === 'percent' ? inPercent(pane, 100) : pane;
    }
    case 'difference':
      return { ...common, name: `Difference from ${reference.name}`, unit: 'USD', format: toFixed(digits) };
    case 'ratio':
      return {
        ...common,
        name: `Ratio to ${reference.name}`,
        unit: '',
        logarithmic: true,
        format: toFixed(Math.max(...common.series.map(({ values }) => toRatioDigits(values[0] ?? 1)))),
      };
    case 'basis':
      return {
        ...common,
        name: 'Basis a year',
        unit: '%',
        format: (value) => `${toFixed(2)(value)} %`,
        levels: [{ name: '', value: 0, ink: 'faint' }],
      };
  }
}

function toNumber(value: Decimal | null, factor: number): number | null {
  return value === null ? null : value.toNumber() * factor;
}

function toFixed(digits: number): Pane['format'] {
  return (value) => formatNumber(toDecimal(String(value)), { digits });
}

export function inkOf(place: number): SeriesInk {
  return INKS[place] ?? 'series-8';
}

interface ReadoutOptions {
  readonly drawn: readonly ComparedLine[];
  readonly digits: number;
}

/** A product's figures share its entry in the legend. */
function toReadouts(
  { products, sessions }: Comparison,
  product: SettledProduct,
  { drawn, digits }: ReadoutOptions,
): readonly Readout[] {
  const ink = inkOf(products.indexOf(product));
  const toReadout = (name: string, figure: string, { unit, at, format }: ReadFigure): Readout => ({
    name,
    entry: { name: product.name, figure },
    unit,
    ink,
    text: (index) => {
      const session = sessions[index];
      return session === undefined ? '' : toText(at(session), format);
    },
    explain: (index) => {
      const session = sessions[index];
      return describeFigure(session === undefined ? null : at(session), formatInAllZones);
    },
  });
  const ownDigits = toDigits([product]);
  const own = drawn.filter((line) => line.product === product && !line.isOwnPrice);
  return [
    ...own.map((line) =>
      toReadout(line.name, figureOf(line), { unit: unitOf(line), at: line.at, format: toFormat(line, digits) }),
    ),
    toReadout(`${product.name} price`, 'price', {
      unit: 'USD',
      at: (session) => toComparedPrice(product, session),
      format: (value) => formatNumber(value, { digits: ownDigits }),
    }),
  ];
}

interface ReadFigure {
  readonly unit: string;
  readonly at: (session: ComparedSession) => Quantity;
  readonly format: (value: Decimal) => string;
}

/** A figure that is missing in a column where others are not has a reason. */
function toText({ value }: Quantity, format: (value: Decimal) => string): string {
  return value === null ? 'n/a' : format(value);
}

/** A basis is named, because it is not always of the product of the entry. */
function figureOf({ as, name }: ComparedLine): string {
  return as === 'basis' ? `basis of ${name}` : as;
}

function unitOf({ as }: ComparedLine): string {
  return as === 'difference' ? 'USD' : as === 'basis' ? '% a year' : '';
}

function toFormat({ as }: ComparedLine, digits: number): (value: Decimal) => string {
  switch (as) {
    case 'rebased':
      return (value) => formatNumber(value, { digits: 2 });
    case 'difference':
      return (value) => formatNumber(value, { digits, signed: true });
    case 'ratio':
      return (value) => formatNumber(value, { digits: toRatioDigits(value.toNumber()) });
    case 'basis':
      return (value) => formatPercent(value, { digits: 2, signed: true });
  }
}

const RATIO_DIGITS = 6;
const MOST_DIGITS = 12;

/** Returns the fraction digits with which a ratio has six significant ones. */
function toRatioDigits(value: number): number {
  if (value <= 0) return RATIO_DIGITS;
  return Math.min(MOST_DIGITS, Math.max(2, RATIO_DIGITS - 1 - Math.floor(Math.log10(value))));
}

/** Describes the end of each chosen pane in sentences. */
export function summariseComparison(comparison: Comparison, panes: readonly ComparedAs[]): string {
  const { sessions, lines, period, products } = comparison;
  const last = sessions.at(-1) ?? sessions[0];
  const digits = toDigits(products);
  const ofPane = (as: ComparedAs): readonly ComparedLine[] =>
    lines.filter((line) => line.as === as && panes.includes(as));
  const rebased = ofPane('rebased').map(
    ({ product, at }) => `${product.name} at ${at(last).value?.toFixed(1) ?? 'n/a'}`,
  );
  const end = `At the end, ${describeSession(last, period)}`;
  return [
    ...(rebased.length === 0
      ? [`${end}.`]
      : [`Rebased to 100 on ${formatDay(sessions[0].session)}. ${end}: ${rebased.join('; ')}.`]),
    ...[...ofPane('difference'), ...ofPane('ratio')].map(
      (line) =>
        `${line.name}: ${toText(line.at(last), toFormat(line, digits))}${line.as === 'difference' ? ' USD' : ''}.`,
    ),
    ...ofPane('basis').map((line) => `Basis of ${line.name}: ${describeBasis(line, last)}`),
  ].join(' ');
}

function describeBasis(line: ComparedLine, last: ComparedSession): string {
  const { value, withheld } = line.at(last);
  if (value === null) return `n/a. ${withheld ?? ''}`.trim();
  const word = value.isZero() ? 'flat' : value.isNegative() ? 'backwardation' : 'contango';
  return `${formatPercent(value, { digits: 2, signed: true })} % a year, ${word}.`;
}

/** Describes the panes, what they are of, and what they leave out. */
export function describeComparison(comparison: Comparison, panes: readonly ComparedAs[]): readonly string[] {
  const { sessions, products, lines, leftOut } = comparison;
  const last = sessions.at(-1) ?? sessions[0];
  const later = products.flatMap((product) => {
    const found = findLaterSession(product, last);
    return found === null
      ? []
      : [{ name: product.name, session: formatDay(found.session) + (found.isRunning ? ', in progress,' : '') }];
  });
  const bySession = [...Map.groupBy(later, ({ session }) => session)].map(
    ([session, of]) => `${session} of ${of.map(({ name }) => name).join(', ')}`,
  );
  const drawn = panes.filter((as) => lines.some((line) => line.as === as)).map((as) => describePane(as, comparison));
  return [
    `${drawn.length > 1 ? 'From the top: ' : 'Shown: '}${drawn.join('; ')}.`,
    ...describeUnits(comparison, panes),
    'Settlements of the sessions that all products have' +
      (last.isRunning ? '; of the session in progress, the last prices.' : '.'),
    ...(leftOut === 0 ? [] : [`${countOf(leftOut, 'session')} in between left out: not all products have them.`]),
    ...(later.length === 0 ? [] : [`Later, not compared: ${bySession.join('; ')}.`]),
  ];
}

/** Warns where a difference is of prices per BTC and per ETH. */
function describeUnits({ products }: Comparison, panes: readonly ComparedAs[]): readonly string[] {
  const units = new Set(products.flatMap(({ product }) => product?.price_quotation_unit ?? []));
  return panes.includes('difference') && units.size > 1
    ? [`The difference is of prices in different units: ${[...units].join(', ')}.`]
    : [];
}

export function describePane(as: ComparedAs, { sessions, reference, lines }: Comparison): string {
  const [own] = lines.filter((line) => line.isOwnPrice);
  switch (as) {
    case 'rebased':
      return `rebased to 100 on ${formatDay(sessions[0].session)}`;
    case 'difference':
      return `difference from ${reference.name} in USD${own === undefined ? '' : ', and the price of the spread'}`;
    case 'ratio':
      return `ratio to ${reference.name}`;
    case 'basis':
      return 'basis of the product that expires later over the other, in % a year, simple, actual/365';
  }
}
