import { useEffect, useMemo, useRef } from 'react';
import type { FundingRateData } from '#contract/funding.ts';
import { asTicks, convert } from '#domain/conversions.ts';
import { toDecimal } from '#domain/decimal.ts';
import { commonFractionDigits, formatBasisPoints, formatNumber, formatPercent, formatRate } from '#domain/format-number.ts';
import { describeFunding } from '#domain/funding-rate.ts';
import { examinePrints } from '#domain/funding/find-faults.ts';
import { isBaseline } from '#domain/funding/funding-series.ts';
import { toSide, type FundingSide } from '#domain/funding/my-side.ts';
import { RATE_FORM_LOOKS, toRateForm, type RateForm } from '#domain/funding/rate-form.ts';
import { asWritten } from '#domain/wire-row.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { StateWord } from '#ui/state-word.tsx';
import { Table, type Column } from '#ui/table.tsx';
import { Moment } from '#ui/time/moment.tsx';
import type { OneData } from './one-data.ts';
import { ONE_PARAMS } from './one-params.ts';
import { premiumOf } from './to-rate-picture.ts';
import { usePrintPages } from './use-print-pages.ts';
import styles from './one.module.css';

/** Every field of every print, newest first; more are read when the end comes into sight, back to the launch. */
export function PrintsTable({ data }: { readonly data: OneData }) {
  const [form] = useUrlState(ONE_PARAMS.form);
  const [side] = useUrlState(ONE_PARAMS.side);
  const { perpetual } = data;
  const { query, rows } = usePrintPages(perpetual.base_symbol, perpetual.prints);
  const faulty = useMemo(() => toFaulty(rows), [rows]);
  const digits = useMemo(() => toDigits(rows), [rows]);
  const columns = useMemo(() => createColumns(data, { form, side, faulty, digits }), [data, form, side, faulty, digits]);
  const { hasNextPage, isFetching, fetchNextPage, error } = query;
  const more = (): void => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  const keyed = useMemo(() => rows.map((row, index) => ({ row, key: `${row.interval_end} ${String(rows.length - index)}` })), [rows]);
  return (
    <>
      <div className={styles['prints']} data-testid="prints">
        <Table caption="Settled prints" columns={columns} rows={keyed} keyOf={({ key }) => key} />
        <Sentinel onSeen={more} key={rows.length} />
      </div>
      <p className={styles['remark']} role="status">
        {rows.length} prints read.{' '}
        {hasNextPage ? (
          <button type="button" onClick={more} disabled={isFetching}>
            {isFetching ? 'Reading …' : 'Read further back'}
          </button>
        ) : (
          perpetual.reaches_launch && !isFetching && 'This is all there is, back to the launch.'
        )}
        {error !== null && ` The rest could not be read: ${error.message}`}
      </p>
    </>
  );
}

/** Asks for more when the end of what is read comes into sight. */
function Sentinel({ onSeen }: { readonly onSeen: () => void }) {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (mark.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen();
    });
    observer.observe(mark.current);
    return () => {
      observer.disconnect();
    };
  });
  return <div ref={mark} className={styles['sentinel']} />;
}

interface Keyed {
  readonly row: FundingRateData;
  readonly key: string;
}

function toFaulty(rows: readonly FundingRateData[]): ReadonlyMap<FundingRateData, string> {
  const { faults } = examinePrints(rows);
  return new Map(faults.flatMap((fault) => ('prints' in fault ? fault.prints.map((row) => [row, fault.kind] as const) : [])));
}

interface Digits {
  readonly price_index: number;
  readonly mark_price: number;
}

/** As many as the price with the most needs: points stand below each other. */
function toDigits(rows: readonly FundingRateData[]): Digits {
  const most = (field: keyof Digits): number => commonFractionDigits(rows.map((row) => asWritten(row, field)));
  return { price_index: most('price_index'), mark_price: most('mark_price') };
}

interface ColumnParts {
  readonly form: RateForm;
  readonly side: FundingSide;
  readonly faulty: ReadonlyMap<FundingRateData, string>;
  readonly digits: Digits;
}

function createColumns({ conversion }: OneData, { form, side, faulty, digits: priceDigits }: ColumnParts): readonly Column<Keyed>[] {
  const { unit, digits } = RATE_FORM_LOOKS[form];
  const rateOf = (row: FundingRateData) => toDecimal(asWritten(row, 'funding_rate'));
  const inForm = (row: FundingRateData): string => {
    const value = toRateForm(rateOf(row), form, row);
    return value === null ? 'not 8 h' : formatPercent(toSide(value, side), { digits, signed: true });
  };
  const ticks = (field: keyof Digits) => ({ row }: Keyed) => formatNumber(convert(asWritten(row, field), asTicks), { digits: priceDigits[field] });
  const factorDigits = conversion === null ? 0 : toDecimal(conversion.factor).decimalPlaces();
  const usd = (field: keyof Digits) => ({ row }: Keyed) => {
    if (conversion === null) return '–';
    const digits = Math.min(10, priceDigits[field] + factorDigits);
    return conversion.withheld === null ? formatNumber(convert(asWritten(row, field), conversion), { digits }) : 'withheld';
  };
  return [
    { name: 'Interval end', cell: ({ row }) => <Moment at={row.interval_end} /> },
    { name: 'Interval start', cell: ({ row }) => <Moment at={row.interval_start} /> },
    { name: 'Rate', unit: '% per 8 h', numeric: true, cell: ({ row }) => formatRate(toSide(rateOf(row), side)) },
    ...(form === 'interval' ? [] : [{ name: 'As', unit, numeric: true, cell: ({ row }: Keyed) => inForm(row) }]),
    { name: 'Who pays', cell: ({ row }) => describeFunding(rateOf(row)) },
    { name: 'Interest', unit: '% per 8 h', numeric: true, cell: ({ row }) => formatRate(toDecimal(asWritten(row, 'interest_rate')), false) },
    { name: 'Mark over index', unit: 'bp', numeric: true, cell: ({ row }) => formatBasisPoints(premiumOf({ row })) },
    { name: 'Index', unit: 'ticks', numeric: true, cell: ticks('price_index') },
    { name: 'Mark', unit: 'ticks', numeric: true, cell: ticks('mark_price') },
    { name: 'Index in', unit: 'USD', numeric: true, cell: usd('price_index') },
    { name: 'Mark in', unit: 'USD', numeric: true, cell: usd('mark_price') },
    { name: 'Product', numeric: true, cell: ({ row }) => String(row.product_id) },
    { name: 'Remark', cell: ({ row }) => describe(row, faulty) },
  ];
}

function describe(row: FundingRateData, faulty: ReadonlyMap<FundingRateData, string>) {
  const fault = faulty.get(row);
  if (fault !== undefined) return <StateWord state="attention">{fault}</StateWord>;
  return isBaseline(row) ? <span className={styles['faint']}>baseline</span> : '';
}
