import type { FundingRateData } from '#contract/exchange/market-data.ts';
import { toDecimal, type Decimal } from '#model/units/decimal.ts';
import {
  commonFractionDigits,
  formatBasisPoints,
  formatNumber,
  formatPercent,
  formatRate,
  NO_VALUE,
} from '#model/format/number.ts';
import { describeProvenance, type Fact } from '#model/format/provenance.ts';
import { premiumOf, readFundingPrice } from '#model/funding/funding-prices.ts';
import { isBaseline } from '#model/funding/funding-series.ts';
import {
  describeFunding,
  type FundingSide,
  RATE_FORM_LABELS,
  type RateForm,
  toRateForm,
  toSide,
} from '#model/funding/funding-rate.ts';
import type { Source } from '#model/response.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { formatInAllZones } from '#model/format/format-time.ts';
import type { FigureColumn } from '#page/panels/figure-grid.tsx';
import type { PerpetualData } from '#model/tables/funding/perpetual-data.ts';
import { FORM_HEADERS, orNotAvailable } from '#model/tables/funding/rate-text.ts';
import { toPrintFigures, type PrintFigures, type UsdDigits } from '#model/charts/funding/rate-figures.ts';

/** A settled rate with the response it came in. */
export interface SourcedPrint {
  readonly row: FundingRateData;
  readonly source: Source;
}

/** A settled rate with a unique key, as an interval may be reported twice. */
export interface KeyedPrint extends SourcedPrint {
  readonly key: string;
}

interface PrintColumnInputs {
  readonly form: RateForm;
  readonly side: FundingSide;
  /** The name of the fault, by settled rate. */
  readonly faulty: ReadonlyMap<FundingRateData, string>;
  readonly digits: PriceDigits;
  readonly usdDigits: UsdDigits;
  readonly timeText: (epochMillis: number) => string;
}

interface PriceDigits {
  readonly price_index: number;
  readonly mark_price: number;
}

type Column = FigureColumn<KeyedPrint>;
type Explain = (name: keyof PrintFigures) => Column['explain'];

/** Returns how many decimals prices in ticks need so that their decimal points align. */
export function toPriceDigits(rows: readonly FundingRateData[]): PriceDigits {
  const most = (field: keyof PriceDigits): number => commonFractionDigits(rows.map((row) => wireText(row, field)));
  return { price_index: most('price_index'), mark_price: most('mark_price') };
}

export function createHistoryColumns(data: PerpetualData, inputs: PrintColumnInputs): readonly Column[] {
  const { conversion } = data;
  const explain: Explain =
    (name) =>
    ({ row, source }) =>
      describeProvenance(toPrintFigures({ source, conversion }, row, inputs.form, inputs.side)[name], formatInAllZones);
  return [
    { ...timeColumn('interval_end', 'Funding time', inputs.timeText), pinned: 'start' },
    timeColumn('interval_start', 'Interval start', inputs.timeText),
    ...createRateColumns(inputs, explain),
    ...createPriceColumns(data, inputs, explain),
    {
      id: 'product',
      title: 'Product',
      kind: 'number',
      width: 80,
      text: productOf,
      value: productOf,
      explain: (print) => explainField(print, 'product_id', productOf(print)),
    },
    createRemarkColumn(inputs),
  ];
}

function productOf({ row }: KeyedPrint): string {
  return wireText(row, 'product_id');
}

function explainField({ source }: KeyedPrint, field: keyof FundingRateData, wire: string): readonly Fact[] {
  return [
    { name: 'Endpoint', value: `GET ${source.target}`, code: true },
    { name: 'Field', value: `prints.${field}`, code: true },
    { name: 'Raw value', value: wire, code: true },
    { name: 'Received', value: formatInAllZones(source.receivedAt) },
  ];
}

function timeColumn(
  field: 'interval_end' | 'interval_start',
  title: string,
  timeText: PrintColumnInputs['timeText'],
): Column {
  return {
    id: field,
    title,
    kind: 'text',
    width: 184,
    text: ({ row }) => timeText(Date.parse(row[field])),
    value: ({ row }) => row[field],
    explain: (print) => [
      { name: 'Time', value: formatInAllZones(print.row[field]) },
      ...explainField(print, field, print.row[field]),
    ],
  };
}

function createRemarkColumn({ faulty }: PrintColumnInputs): Column {
  const text = ({ row }: KeyedPrint): string => faulty.get(row) ?? (isBaseline(row) ? 'at interest rate' : '');
  return {
    ...{ id: 'remark', title: 'Remark', kind: 'text', width: 104, text, value: text },
    tone: ({ row }) => (faulty.has(row) ? 'attention' : 'quiet'),
    explain: ({ row }) => [
      { name: 'Interval', value: `${row.interval_start} to ${row.interval_end}`, code: true },
      { name: 'Counted', value: faulty.has(row) ? 'see Gaps and faults' : 'in every window that includes it' },
      {
        name: 'Interest rate',
        value: isBaseline(row) ? 'the settled rate equals it' : 'the settled rate differs from it',
      },
    ],
  };
}

function rateOf(row: FundingRateData): Decimal {
  return toDecimal(wireText(row, 'funding_rate'));
}

function numberColumn(
  id: string,
  title: string,
  width: number,
  text: (row: FundingRateData) => string,
  value: (row: FundingRateData) => Decimal | null,
) {
  return {
    id,
    title,
    kind: 'number',
    width,
    text: ({ row }: KeyedPrint) => text(row),
    value: ({ row }: KeyedPrint) => value(row)?.toNumber() ?? null,
  } as const;
}

function createRateColumns({ form, side }: PrintColumnInputs, explain: Explain): readonly Column[] {
  const { digits } = RATE_FORM_LABELS[form];
  const sided = (row: FundingRateData): Decimal => toSide(rateOf(row), side);
  const inForm = (row: FundingRateData): Decimal | null => toRateForm(sided(row), form, row);
  const inFormText = (row: FundingRateData): string => {
    const value = inForm(row);
    return value === null ? 'not 8 h' : formatPercent(value, { digits, signed: true });
  };
  const interest = (row: FundingRateData): Decimal => toDecimal(wireText(row, 'interest_rate'));
  const payer = ({ row }: KeyedPrint): string => describeFunding(rateOf(row));
  return [
    {
      ...numberColumn('rate', 'Settled rate', 104, (row) => formatRate(sided(row)), sided),
      unit: '% per 8 h',
      explain: explain('settled'),
    },
    ...(form === 'interval'
      ? []
      : [
          {
            ...numberColumn('form', FORM_HEADERS[form].one, 128, inFormText, inForm),
            unit: FORM_HEADERS[form].unit,
            explain: explain('inForm'),
          },
        ]),
    {
      id: 'payer',
      title: 'Who pays',
      kind: 'text',
      width: 128,
      text: payer,
      value: payer,
      explain: explain('settled'),
    },
    {
      ...numberColumn('interest', 'Interest', 88, (row) => formatRate(interest(row), false), interest),
      unit: '% per 8 h',
      explain: explain('interest'),
    },
    {
      ...numberColumn('premium', 'Premium', 88, (row) => orNotAvailable(premiumOf(row), formatBasisPoints), premiumOf),
      unit: 'bp',
      explain: explain('premium'),
    },
  ];
}

function createPriceColumns(
  { conversion }: PerpetualData,
  { digits, usdDigits }: PrintColumnInputs,
  explain: Explain,
): readonly Column[] {
  const ticks =
    (field: keyof PriceDigits) =>
    (row: FundingRateData): Decimal | null =>
      readFundingPrice(row, field);
  const inTicks =
    (field: keyof PriceDigits) =>
    (row: FundingRateData): string =>
      orNotAvailable(ticks(field)(row), (price) => formatNumber(price, { digits: digits[field] }));
  const inUsd =
    (field: keyof PriceDigits) =>
    (row: FundingRateData): string => {
      if (conversion === null) return NO_VALUE;
      const price = conversion.withheld === null ? ticks(field)(row) : null;
      return orNotAvailable(price, (known) =>
        formatNumber(known.times(conversion.factor), { digits: usdDigits[field] }),
      );
    };
  const withheld = conversion?.withheld ?? null;
  const explainUsd = (name: 'index' | 'mark'): Column['explain'] =>
    withheld === null ? explain(name) : (print) => [{ name: 'n/a', value: withheld }, ...explain(name)(print)];
  return [
    {
      ...numberColumn('index_ticks', 'Index', 112, inTicks('price_index'), ticks('price_index')),
      unit: 'ticks',
      explain: explain('index'),
    },
    {
      ...numberColumn('mark_ticks', 'Mark', 112, inTicks('mark_price'), ticks('mark_price')),
      unit: 'ticks',
      explain: explain('mark'),
    },
    {
      ...numberColumn('index_usd', 'Index', 132, inUsd('price_index'), ticks('price_index')),
      unit: 'USD',
      explain: explainUsd('index'),
    },
    {
      ...numberColumn('mark_usd', 'Mark', 132, inUsd('mark_price'), ticks('mark_price')),
      unit: 'USD',
      explain: explainUsd('mark'),
    },
  ];
}
