import { accessSuite } from './access-suite.ts';
import { aliasesSuite } from './aliases-suite.ts';
import { cacheSuite } from './cache-suite.ts';
import { estimatesSuite } from './estimates-suite.ts';
import { failuresSuite, type FailureSentences } from './failures-suite.ts';
import { fundingSuite } from './funding-suite.ts';
import { activitySuite } from './activity-suite.ts';
import { journalSuite } from './journal-suite.ts';
import { leaseSuite } from './lease-suite.ts';
import { outboxSuite } from './outbox-suite.ts';
import { permitsSuite } from './permits-suite.ts';
import { rulesSuite } from './rules-suite.ts';
import type { NewLocation } from './store-location.ts';

/** Defines the suites of what each server module stores, in one kind of database. */
export function storeSuites(newPlace: NewLocation, sentences: FailureSentences): void {
  failuresSuite(newPlace, sentences);
  cacheSuite(newPlace);
  permitsSuite(newPlace);
  fundingSuite(newPlace);
  estimatesSuite(newPlace);
  aliasesSuite(newPlace);
  activitySuite(newPlace);
  journalSuite(newPlace);
  rulesSuite(newPlace);
  leaseSuite(newPlace);
  outboxSuite(newPlace);
  accessSuite(newPlace);
}

export const sqliteSentences: FailureSentences = {
  full: /^Perpdesk cannot write to its data folder \(attempt to write a readonly database\): free some disk space, or set DESK_DATA_DIR to a writable folder\.$/,
  reason: /^disk failure: attempt to write a readonly database$/,
  missing:
    /^Perpdesk cannot read its data folder \(no such table: owner_code\): check its disk, and that this user may read it\.$/,
};
