import type { Api } from '#page/client/create-api.ts';
import type { EvidenceContent, EvidenceSubject } from '#model/evidence/evidence.ts';
import type { EvidenceReader } from '#page/panels/evidence/make-evidence.ts';
import { compareReader } from '#page/panels/evidence/read-compare.ts';
import { historyReader } from '#page/panels/evidence/read-history.ts';
import { workingReader } from '#page/panels/evidence/read-working.ts';
import { priceReader } from '#page/panels/evidence/read-price.ts';

const READERS: Readonly<Record<string, Pick<EvidenceReader<never>, 'read'>>> = {
  orders: workingReader,
  history: historyReader,
  funding: compareReader,
  price: priceReader,
};

const noPause = (): Promise<void> => Promise.resolve();

/** What the screen of a subject computes, from the answers that an API gives. Throws where no screen is of its name. */
export function readContent(api: Api, subject: EvidenceSubject): Promise<EvidenceContent> {
  const reader = Object.hasOwn(READERS, subject.screen) ? READERS[subject.screen] : undefined;
  if (reader === undefined) throw new Error(`This Perpdesk knows no screen “${subject.screen}”.`);
  // A manifest may hold anything: what a reader cannot use, it throws on.
  return reader.read(api, subject as never, noPause);
}
