import { historySuite } from './history-suite.ts';
import { journalSuite } from './journal-suite.ts';
import { orderPagesSuite } from './order-pages-suite.ts';
import type { NewLocation } from './store-location.ts';

/** Defines the suite of what a store must do, in memory and in a file. */
export function storeSuite(newPlace: NewLocation, { propertyRuns }: { readonly propertyRuns: number }): void {
  orderPagesSuite(newPlace, propertyRuns);
  journalSuite(newPlace);
  historySuite(newPlace);
}
