import { createContext, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useProvided } from './use-provided.ts';

/** One thing that can be done on the screen that is there now. */
export interface Offer {
  readonly group: string;
  readonly label: string;
  readonly remark: string;
  readonly run: () => void;
}

/** Asked only when somebody wants to choose: what is offered may be made of thousands of rows. */
type Source = () => readonly Offer[];

const SourcesContext = createContext<Set<Source> | null>(null);

export function OffersProvider({ children }: { readonly children: ReactNode }) {
  const [sources] = useState(() => new Set<Source>());
  return <SourcesContext value={sources}>{children}</SourcesContext>;
}

function useSources(): Set<Source> {
  return useProvided(SourcesContext, 'offers');
}

/** Offers for as long as the component is there. */
export function useOffer(source: Source): void {
  const sources = useSources();
  const latest = useRef(source);
  useEffect(() => {
    latest.current = source;
  });
  useEffect(() => {
    const offer: Source = () => latest.current();
    sources.add(offer);
    return () => {
      sources.delete(offer);
    };
  }, [sources]);
}

/** What was offered when the component came. */
export function useOffers(): readonly Offer[] {
  const sources = useSources();
  const [offers] = useState(() => [...sources].flatMap((source) => source()));
  return offers;
}
