import { useMemo } from 'react';
import { countOf } from '#model/format/count.ts';
import { examinePrints, toFaultNames } from '#model/funding/funding-faults.ts';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { formatInstant } from '#model/format/format-time.ts';
import { FigureGrid } from '../figure-grid.tsx';
import type { PerpetualData } from '#model/tables/funding/perpetual-data.ts';
import { PERPETUAL_PARAMS } from '#model/tables/funding/perpetual-params.ts';
import { withUniqueKeys } from './unique-keys.ts';
import { countUsdDigits } from '#model/charts/funding/rate-figures.ts';
import { createHistoryColumns, type KeyedPrint, toPriceDigits } from './history-columns.ts';
import { useHistoryPages } from './history-pages.ts';
import styles from '../perpetual.module.css';

/** Every field of every settled rate, newest first; older pages load when the end scrolls into view. */
export function HistoryTable({ data }: { readonly data: PerpetualData }) {
  const [form] = useUrlState(PERPETUAL_PARAMS.form);
  const [side] = useUrlState(PERPETUAL_PARAMS.side);
  const [zone] = useZone();
  const { perpetual, source } = data;
  const { query, prints } = useHistoryPages(perpetual.base_symbol, source);
  const columns = useMemo(() => {
    const rows = prints.map(({ row }) => row);
    const timeText = (at: number): string => formatInstant(at, zone);
    return createHistoryColumns(data, {
      form,
      side,
      faulty: toFaultNames(examinePrints(rows).faults),
      digits: toPriceDigits(rows),
      usdDigits: countUsdDigits(rows, data.conversion),
      timeText,
    });
  }, [data, form, side, zone, prints]);
  const keyed = useMemo((): readonly KeyedPrint[] => withUniqueKeys(prints, ({ row }) => row.interval_end), [prints]);
  const { hasNextPage, isFetching, fetchNextPage, refetch, isSuccess, error } = query;
  const more = (): void => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  return (
    <>
      <FigureGrid
        key={form}
        label="Funding history"
        columns={columns}
        rows={keyed}
        keyOf={keyOf}
        mayGrow={hasNextPage}
        onNearEnd={more}
      />
      <p className={styles['remark']}>
        {countOf(prints.length, 'settled rate')} loaded.{' '}
        {hasNextPage ? (
          <button type="button" onClick={more} disabled={isFetching}>
            {isFetching ? 'Loading…' : 'Load more'}
          </button>
        ) : (
          isSuccess && perpetual.reaches_launch && !isFetching && 'Complete since listing.'
        )}
        {error !== null &&
          ` ${prints.length > 0 ? 'Older settled rates' : 'Settled rates'} could not be loaded: ${error.message} `}
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
