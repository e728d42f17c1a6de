import type { ComponentProps } from 'react';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { lazy } from '#page/kit/lazy.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { Skeleton } from '#page/panels/skeleton.tsx';
import { PRICE_PARAMS } from '../shared/price-params.ts';

const LazySpecificationPanel = lazy(
  async () => (await import('./specification-panel.tsx')).SpecificationPanel,
  <Skeleton />,
);

export const SPECIFICATION_ID = 'specification';

/** The specification of the product, where it has been opened. */
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
