import { EvidenceDialog } from '#panels/evidence/evidence-dialog.tsx';
import type { ListControl } from '../list-state/use-list-state.ts';
import { workingReader, type WorkingSubject } from './read-working.ts';
import { useListed } from './use-listed.ts';

interface WorkingEvidenceProps {
  readonly list: Pick<ListControl, 'state' | 'link'>;
  readonly close: () => void;
}

export function WorkingEvidence({ list, close }: WorkingEvidenceProps) {
  const toListed = useListed(list);
  const { sorts, grouping } = list.state;
  const toSubject = (): WorkingSubject => ({ screen: 'orders', ...toListed(), sorts, grouping });
  const reads = 'The working set is read again, with what its figures depend on. Orders that are gone are not in it.';
  return <EvidenceDialog offer={{ title: 'Working orders', toSubject, reader: workingReader, hasOwners: true, reads }} close={close} />;
}
