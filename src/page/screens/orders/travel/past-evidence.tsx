import { EvidenceDialog } from '#page/panels/evidence/evidence-dialog.tsx';
import { pastReader, type PastSubject } from '#page/panels/evidence/read-orders.ts';
import { useWorkingEvidence, type WorkingEvidenceProps } from '../working/working-evidence.tsx';
import { toAtText } from './travel-params.ts';
import type { PastBook } from './use-book.ts';

interface PastEvidenceProps extends WorkingEvidenceProps {
  readonly book: Pick<PastBook, 'readTo'>;
}

/** Makes evidence of the working orders at an earlier time. */
export function PastEvidence({ book: { readTo }, close, ...list }: PastEvidenceProps) {
  const { toArranged, contents } = useWorkingEvidence(list, 'the journal');
  const toSubject = (): PastSubject => ({ screen: 'past', ...toArranged(), at: toAtText(readTo) });
  const reads = 'The reading is taken from the journal again, with the market prices that were recorded then.';
  return (
    <EvidenceDialog
      offer={{ title: 'Working orders then', toSubject, reader: pastReader, contents, reads }}
      close={close}
    />
  );
}
