import { useMemo } from 'react';
import { countOf } from '#domain/format-count.ts';
import { examinePrints, toFaultKinds } from '#domain/funding/find-faults.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { formatInstant } from '#ui/time/format-time.ts';
import { FigureGrid } from '../figure-grid.tsx';
import type { OneData } from './one-data.ts';
import { ONE_PARAMS } from './one-params.ts';
import { withOwnKeys } from './own-keys.ts';
import { countUsdDigits } from './one-figures.ts';
import { createPrintColumns, toPriceDigits, type KeyedPrint } from './print-columns.ts';
import { usePrintPages } from './use-print-pages.ts';
import styles from './one.module.css';

/** Every field of every print, newest first; more are read when the end comes into sight, back to the launch. */
export function PrintsTable({ data }: { readonly data: OneData }) {
  const [form] = useUrlState(ONE_PARAMS.form);
  const [side] = useUrlState(ONE_PARAMS.side);
  const [zone] = useZone();
  const { perpetual, source } = data;
  const { query, prints } = usePrintPages(perpetual.base_symbol, source);
  const columns = useMemo(() => {
    const rows = prints.map(({ row }) => row);
    const timeText = (at: number): string => formatInstant(at, zone);
    return createPrintColumns(data, { form, side, faulty: toFaultKinds(examinePrints(rows).faults), digits: toPriceDigits(rows), usdDigits: countUsdDigits(rows, data.conversion), timeText });
  }, [data, form, side, zone, prints]);
  const keyed = useMemo((): readonly KeyedPrint[] => withOwnKeys(prints, ({ row }) => row.interval_end), [prints]);
  const { hasNextPage, isFetching, fetchNextPage, refetch, isSuccess, error } = query;
  const more = (): void => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  return (
    <>
      <FigureGrid key={form} label="Settled prints" columns={columns} rows={keyed} keyOf={keyOf} mayGrow={hasNextPage} onNearEnd={more} />
      <p className={styles['remark']}>
        {countOf(prints.length, 'print')} read.{' '}
        {hasNextPage ? (
          <button type="button" onClick={more} disabled={isFetching}>
            {isFetching ? 'Reading …' : 'Read further back'}
          </button>
        ) : (
          isSuccess && perpetual.reaches_launch && !isFetching && 'This is all there is, back to the launch.'
        )}
        {error !== null && ` ${prints.length > 0 ? 'The rest' : 'They'} could not be read: ${error.message} `}
        {error !== null && prints.length === 0 && (
          <button type="button" onClick={() => void refetch()}>
            Try again
          </button>
        )}
      </p>
    </>
  );
}

function keyOf({ key }: KeyedPrint): string {
  return key;
}
