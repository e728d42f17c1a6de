import { useEffect, useRef } from 'react';
import { loadedPages, type PageList } from '#page/client/page-window/page-list.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { TermsOf } from '#model/orders/order-terms.ts';
import { addCodes } from '#model/orders/private-codes.ts';

/** What all rows read so far have in common. It only grows, so that columns do not shift while pages come and go. */
export interface LoadedFacts {
  readonly mostDigits: number;
  /** Codes of accounts, firms and connections. */
  readonly codes: ReadonlySet<string>;
}

export const NO_FACTS: LoadedFacts = { mostDigits: 2, codes: new Set() };

/** Adds the facts of new pages. */
export function useLoadedFacts(
  list: PageList<Order>,
  terms: TermsOf | null,
  facts: LoadedFacts,
  setFacts: (facts: LoadedFacts) => void,
): void {
  const seenPages = useRef(new WeakSet<object>());
  useEffect(() => {
    if (terms === null) return;
    const seen = seenPages.current;
    let { mostDigits, codes } = facts;
    for (const { page } of loadedPages(list).filter((loaded) => !seen.has(loaded.page))) {
      seen.add(page);
      for (const order of page.rows) mostDigits = Math.max(mostDigits, terms(order).digits);
      codes = addCodes(codes, page.rows);
    }
    if (mostDigits > facts.mostDigits || codes !== facts.codes) setFacts({ mostDigits, codes });
  }, [list, terms, facts, setFacts]);
}
