import { useUrlState } from '#page/kit/navigation.tsx';
import { PRICE_PARAMS } from './shared/price-params.ts';
import styles from './shared/price.module.css';
import type { ComponentProps, ReactNode } from 'react';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { lazy } from '#page/kit/lazy.tsx';
import { Skeleton } from '#page/panels/panel-body.tsx';

/** Shows or hides the specification below the header; the address holds the state. */
export function SpecificationToggle() {
  const [shown, setShown] = useUrlState(PRICE_PARAMS.specification);
  const isOpen = shown === 'open';
  return (
    <button
      type="button"
      className={styles['disclosure']}
      aria-expanded={isOpen}
      aria-controls={isOpen ? SPECIFICATION_ID : undefined}
      onClick={() => {
        setShown(isOpen ? 'closed' : 'open');
      }}
    >
      Specification
    </button>
  );
}

interface MoreButtonProps {
  readonly shown: 'main' | 'all';
  readonly set: (shown: 'main' | 'all') => void;
  /** The id of the element that it expands. */
  readonly controls: string;
  readonly children: ReactNode;
}

/** Expands or collapses content where space is limited. */
export function MoreButton({ shown, set, controls, children }: MoreButtonProps) {
  return (
    <button
      type="button"
      className={styles['more']}
      aria-expanded={shown === 'all'}
      aria-controls={controls}
      onClick={() => {
        set(shown === 'all' ? 'main' : 'all');
      }}
    >
      {children}
    </button>
  );
}

const LazySpecificationPanel = lazy(
  async () => (await import('./specification-panel.tsx')).SpecificationPanel,
  <Skeleton />,
);

const SPECIFICATION_ID = 'specification';

/** The product's specification, if it is open. */
export function Specification(props: ComponentProps<typeof LazySpecificationPanel>) {
  const [shown] = useUrlState(PRICE_PARAMS.specification);
  if (shown === 'closed') return null;
  return (
    <div id={SPECIFICATION_ID}>
      <ErrorBoundary level={3} of={props.named.id}>
        <LazySpecificationPanel {...props} />
      </ErrorBoundary>
    </div>
  );
}
