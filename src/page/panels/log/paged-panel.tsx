import type { ReactNode } from 'react';
import { useId } from 'react';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ApiResponse } from '#model/response.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import { formatCount } from '#model/format/count.ts';
import { PanelBody } from '../panel-body.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import styles from './log.module.css';

/** The pages of a log, the newest first. */
export type LogQuery<T> = UseInfiniteQueryResult<InfiniteData<ApiResponse<T>, Cursor | null>>;

interface PagedPanelProps<T> {
  readonly title: string;
  readonly query: LogQuery<T>;
  /** How many rows are loaded. */
  readonly count: number;
  /** Which rows there are at all, a sentence. */
  readonly limits: string;
  readonly controls?: ReactNode;
  /** In place of the rows where there are none. */
  readonly empty: ReactNode;
  readonly children: ReactNode;
}

/** A log that is read when it is wanted, page by page: it says when that was, and how to read it again. */
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
        {/* One that is disabled while the log is read would lose the focus. */}
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
