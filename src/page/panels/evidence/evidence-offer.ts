import type { EvidenceSubject } from '#model/evidence/evidence.ts';
import type { EvidenceReader } from './make-evidence.ts';

/** Which orders are in the file: a file that is passed on must not contain more than its sender knows. */
export interface FileContents {
  /** As a sentence, with pseudonyms or with codes. */
  readonly describe: (pseudonyms: boolean) => string;
  /** What is in the file although the screen does not show it, and must be agreed to: `1,157 orders`; null: nothing. */
  readonly unshown: string | null;
}

/** What a screen offers as evidence. Subjects are made when it is requested: rows and filters may have changed since. */
export interface EvidenceOffer<Subject extends EvidenceSubject> {
  /** Of the screen, also the beginning of the file name: `Working orders`. */
  readonly title: string;
  readonly toSubject: () => Subject;
  readonly reader: EvidenceReader<Subject>;
  /** Null: the answers contain no orders, and no codes of accounts, firms and connections. */
  readonly contents: FileContents | null;
  /** What is read, in a sentence. */
  readonly reads: string;
}
