import { lazy, Suspense } from 'react';
import { Skeleton } from '#ui/panel/skeleton.tsx';

const CompareFunding = lazy(async () => ({ default: (await import('./compare-funding.tsx')).CompareFunding }));
const OneFunding = lazy(async () => ({ default: (await import('./one/one-funding.tsx')).OneFunding }));

interface FundingScreenProps {
  readonly parameters: Readonly<Record<string, string>>;
}

/** What holding perpetuals costs: all beside each other, or one of them. */
export function FundingScreen({ parameters: { base_symbol } }: FundingScreenProps) {
  return <Suspense fallback={<Skeleton />}>{base_symbol === undefined ? <CompareFunding /> : <OneFunding key={base_symbol} baseSymbol={base_symbol} />}</Suspense>;
}
