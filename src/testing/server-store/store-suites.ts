import { accessSuite } from './access-suite.ts';
import { aliasesSuite } from './aliases-suite.ts';
import { cacheSuite } from './cache-suite.ts';
import { estimatesSuite } from './estimates-suite.ts';
import { failuresSuite, type FailureSentences } from './failures-suite.ts';
import { fundingSuite } from './funding-suite.ts';
import { activitySuite } from './activity-suite.ts';
import { journalSuite } from './journal-suite.ts';
import { ledgerSuite } from './ledger-suite.ts';
import { journalTakeoverSuite } from './journal-takeover-suite.ts';
import { leaseSuite } from './lease-suite.ts';
import { membersSuite } from './members-suite.ts';
import { outboxSuite } from './outbox-suite.ts';
import { readingsSuite } from './readings-suite.ts';
import { rulesSuite } from './rules-suite.ts';
import { sharedFilesSuite } from './shared-files-suite.ts';
import type { NewLocation } from './store-location.ts';

/** Defines the suites of what each server module stores, in one kind of database. */
export function storeSuites(newPlace: NewLocation, sentences: FailureSentences): void {
  failuresSuite(newPlace, sentences);
  cacheSuite(newPlace);
  ledgerSuite(newPlace);
  fundingSuite(newPlace);
  estimatesSuite(newPlace);
  aliasesSuite(newPlace);
  activitySuite(newPlace);
  journalSuite(newPlace);
  journalTakeoverSuite(newPlace);
  rulesSuite(newPlace);
  leaseSuite(newPlace);
  membersSuite(newPlace);
  readingsSuite(newPlace);
  outboxSuite(newPlace);
  accessSuite(newPlace);
  sharedFilesSuite(newPlace);
}

export const sqliteSentences: FailureSentences = {
  full: /^Perpdesk cannot write to its data folder \(attempt to write a readonly database\): free some disk space, or set DESK_DATA_DIR to a writable folder\.$/,
  reason: /^disk failure: attempt to write a readonly database$/,
  missing:
    /^Perpdesk cannot read its data folder \(no such table: owner_code\): check its disk, and that this user may read it\.$/,
  plain: null,
};
