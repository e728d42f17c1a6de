import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ApiResponse } from '#model/response.ts';
import { READ_ONCE } from '#page/client/freshness.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import { type ReactNode, useId } from 'react';
import { formatCount } from '#model/format/count.ts';
import { PanelBody } from './panel-body.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import styles from './log-panel.module.css';

interface Page {
  readonly pagination: { readonly cursor?: Cursor | null | undefined };
}

interface Log<T> {
  readonly name: string;
  /** The filter of its rows, as a cache key. */
  readonly of: string;
  readonly read: (cursor: Cursor | null, signal: AbortSignal) => Promise<ApiResponse<T>>;
}

/** Reads a log of Perpdesk, page by page. */
export function useLog<T extends Page>({ name, of, read }: Log<T>): LogQuery<T> {
  return useInfiniteQuery({
    queryKey: [name, of],
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: null as Cursor | null,
    getNextPageParam: ({ value: { pagination } }) =>
      pagination.cursor === undefined || pagination.cursor === '' ? null : pagination.cursor,
    ...READ_ONCE,
  });
}

/** The pages of a log, the newest first. */
export type LogQuery<T> = UseInfiniteQueryResult<InfiniteData<ApiResponse<T>, Cursor | null>>;

interface PagedPanelProps<T> {
  readonly title: string;
  readonly query: LogQuery<T>;
  /** How many rows are loaded. */
  readonly count: number;
  /** A sentence about how far back the log goes. */
  readonly limits: string;
  readonly controls?: ReactNode;
  /** Shown if there are no rows. */
  readonly empty: ReactNode;
  readonly children: ReactNode;
}

/** A log that is read on demand, page by page, with the time of the reading and a button to read it again. */
export function PagedPanel<T>({ title, query, count, limits, controls, empty, children }: PagedPanelProps<T>) {
  const id = useId();
  const [first] = query.data?.pages ?? [];
  return (
    <section aria-labelledby={id} aria-busy={first === undefined && query.isFetching}>
      <header className={styles['header']}>
        <h2 id={id}>{title}</h2>
        {controls}
        <span className={styles['read']}>
          {first !== undefined && (
            <>
              Read <Timestamp at={first.receivedAt} />
            </>
          )}
        </span>
        {/* A disabled button would lose the focus while the log is read. */}
        <button
          type="button"
          aria-disabled={query.isFetching}
          onClick={() => void query.refetch({ cancelRefetch: false })}
        >
          Refresh
        </button>
      </header>
      <PanelBody query={{ ...query, data: first }}>
        {() =>
          count === 0 ? (
            empty
          ) : (
            <>
              {children}
              <p className={styles['more']}>
                {formatCount(count)} loaded.{' '}
                {query.hasNextPage ? (
                  <button
                    type="button"
                    aria-disabled={query.isFetching}
                    onClick={() => void query.fetchNextPage({ cancelRefetch: false })}
                  >
                    Load more
                  </button>
                ) : (
                  `End of the list. ${limits}`
                )}
              </p>
            </>
          )
        }
      </PanelBody>
    </section>
  );
}
