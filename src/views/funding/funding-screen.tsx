import { later } from '#ui/later.tsx';
import { Skeleton } from '#ui/panel/skeleton.tsx';

const CompareFunding = later(async () => (await import('./compare-funding.tsx')).CompareFunding, <Skeleton />);
const OneFunding = later(async () => (await import('./one/one-funding.tsx')).OneFunding, <Skeleton />);

interface FundingScreenProps {
  readonly parameters: Readonly<Record<string, string>>;
}

/** What holding perpetuals costs: all beside each other, or one of them. */
export function FundingScreen({ parameters: { base_symbol } }: FundingScreenProps) {
  return base_symbol === undefined ? <CompareFunding /> : <OneFunding key={base_symbol} baseSymbol={base_symbol} />;
}
