import { useId } from 'react';
import type { ReactNode } from 'react';
import { ErrorBoundary } from '../error-boundary.tsx';
import { FreshnessMark } from './freshness-mark.tsx';
import { PanelBody, type PanelBodyProps } from './panel-body.tsx';
import type { Judged, Stamp } from './panel-query.ts';
import styles from './panel.module.css';

interface PanelProps<T extends Stamp> extends PanelBodyProps<T> {
  readonly title: string;
  /** How often it is read again. */
  readonly everySeconds: number;
  readonly paused?: boolean;
  /** Takes the height that is left on the screen, which is a flex column. */
  readonly fills?: boolean;
  /** Other answers that are shown in it. */
  readonly besides?: readonly (Partial<Judged> | undefined)[];
  /** What can be done with all that is in it. */
  readonly actions?: ReactNode;
}

/** A region of a screen with data of one answer: it shows how old they are, and always one of its faces. */
export function Panel<T extends Stamp>({ title, everySeconds, paused = false, fills, besides = [], actions, ...body }: PanelProps<T>) {
  const id = useId();
  const { data, isFetching } = body.query;
  return (
    <section className={styles['panel']} data-fills={fills} aria-labelledby={id} aria-busy={data === undefined && isFetching}>
      <header className={styles['header']}>
        <h2 className={styles['title']} id={id}>
          {title}
        </h2>
        {actions}
        {data !== undefined && (
          <span className={styles['freshness']}>
            <FreshnessMark query={{ ...body.query, data }} everySeconds={everySeconds} paused={paused} besides={besides} />
          </span>
        )}
      </header>
      <ErrorBoundary level={3} of={data}>
        <PanelBody {...body} />
      </ErrorBoundary>
    </section>
  );
}
