import { useAnnounced } from '#page/kit/live-region.tsx';
import { OVERDUE } from '#model/tables/cell-tooltip.ts';

interface OverdueNoticeProps {
  /** A sentence for each cause that is overdue; null for one that is not. */
  readonly causes: readonly (string | null)[];
  readonly className: string | undefined;
}

/** A notice that newer rows are overdue, even if the data were read recently. */
export function OverdueNotice({ causes, className }: OverdueNoticeProps) {
  const known = causes.filter((cause) => cause !== null);
  // One announcement covers all causes, because the live region keeps only the last of several.
  useAnnounced(known.length === 0 ? null : `${OVERDUE}. ${known.join(' ')}`, true);
  return known.map((cause) => (
    <p key={cause} className={className} role="note">
      <span>
        <strong>{OVERDUE}.</strong> {cause}
      </span>
    </p>
  ));
}
