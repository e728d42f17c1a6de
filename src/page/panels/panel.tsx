import { useId } from 'react';
import type { ReactNode } from 'react';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { FreshnessMark } from './freshness-mark.tsx';
import { PanelBody, type PanelBodyProps } from './panel-body.tsx';
import type { Checked, Stamp } from './panel-query.ts';
import styles from './panel.module.css';

interface PanelProps<T extends Stamp> extends PanelBodyProps<T> {
  readonly title: string;
  /** Refresh interval. */
  readonly everySeconds: number;
  /** Fills the height that is left on the screen, which is a flex column. */
  readonly fills?: boolean;
  /** Other responses shown in it. */
  readonly besides?: readonly (Partial<Checked> | undefined)[];
  /** Actions on all of its data. */
  readonly actions?: ReactNode;
}

/** A region of a screen with its own data, age and error state. */
export function Panel<T extends Stamp>({ title, everySeconds, fills, besides = [], actions, ...body }: PanelProps<T>) {
  const id = useId();
  const { data, isFetching } = body.query;
  return (
    <section
      className={styles['panel']}
      data-fills={fills}
      aria-labelledby={id}
      aria-busy={data === undefined && isFetching}
    >
      <header className={styles['header']}>
        <h2 className={styles['title']} id={id}>
          {title}
        </h2>
        {actions}
        {data !== undefined && (
          <span className={styles['freshness']}>
            <FreshnessMark query={{ ...body.query, data }} everySeconds={everySeconds} besides={besides} />
          </span>
        )}
      </header>
      <ErrorBoundary level={3} of={data}>
        <PanelBody {...body} />
      </ErrorBoundary>
    </section>
  );
}
