import type { EvidenceSubject } from '#domain/evidence/evidence.ts';
import type { EvidenceReader } from './make-evidence.ts';

/** What a screen offers as evidence. Subjects are made when it is requested: rows and filters may have changed since. */
export interface EvidenceOffer<Subject extends EvidenceSubject> {
  /** Of the screen, also the beginning of the file name: `Working orders`. */
  readonly title: string;
  readonly toSubject: () => Subject;
  readonly reader: EvidenceReader<Subject>;
  /** Whether the answers contain codes of accounts, firms and connections. */
  readonly hasOwners: boolean;
  /** What is read, in a sentence. */
  readonly reads: string;
}
