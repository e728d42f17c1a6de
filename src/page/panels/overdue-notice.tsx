import { useAnnounced } from '#page/kit/live-region.tsx';
import { OVERDUE } from '#model/tables/with-overdue.ts';

interface OverdueNoticeProps {
  /** What is overdue, a sentence for each cause; null where it is not. */
  readonly causes: readonly (string | null)[];
  readonly className: string | undefined;
}

/** Data whose newer rows should have come by now, however recently they were read. */
export function OverdueNotice({ causes, className }: OverdueNoticeProps) {
  const known = causes.filter((cause) => cause !== null);
  // One announcement for all of them: the live region keeps only the last of several.
  useAnnounced(known.length === 0 ? null : `${OVERDUE}. ${known.join(' ')}`, true);
  return known.map((cause) => (
    <p key={cause} className={className} role="note">
      <span>
        <strong>{OVERDUE}.</strong> {cause}
      </span>
    </p>
  ));
}
