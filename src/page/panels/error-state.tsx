import { createElement } from 'react';
import { useExplainedByOutage } from '#page/client/react/use-outage.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { lazy } from '#page/kit/lazy.tsx';
import type { FailureProps } from './failure.tsx';
import { Skeleton } from './skeleton.tsx';

const Failure = lazy(async () => (await import('./failure.tsx')).Failure, createElement(Skeleton));

interface ErrorStateProps extends FailureProps {
  readonly failedAt: number;
  /** Perpdesk's status is not read again after the failure, as it is after that of a query. */
  readonly isOfWindow?: boolean;
}

/** Takes the place of data that could not be read. During an outage, its bar says why and offers a retry, once for all panels. */
export function ErrorState({ failedAt, isOfWindow = false, ...failure }: ErrorStateProps) {
  if (!useExplainedByOutage(failure.error, failedAt, { isStatusReread: !isOfWindow })) return <Failure {...failure} />;
  return (
    <EmptyState title="Not loaded">
      <p>This panel loads automatically once the outage is over.</p>
    </EmptyState>
  );
}
