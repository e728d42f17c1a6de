import { type ReactNode, useId } from 'react';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { FreshnessMark } from './freshness-mark.tsx';
import { type Checked, PanelBody, type PanelBodyProps, type Stamp } from './panel-body.tsx';
import styles from './panel.module.css';

interface PanelProps<T extends Stamp> extends PanelBodyProps<T> {
  readonly title: string;
  /** Refresh interval. */
  readonly everySeconds: number;
  /** Whether the panel fills the height left on the screen, which is a flex column. */
  readonly fills?: boolean;
  /** Other responses shown in the panel. */
  readonly besides?: readonly (Partial<Checked> | undefined)[];
  /** Actions on all data of the panel. */
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
        <PanelBody {...body} everySeconds={everySeconds} />
      </ErrorBoundary>
    </section>
  );
}
