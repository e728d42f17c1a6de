import { formatCount } from '#domain/format-count.ts';
import type { WorkingProof } from '#domain/orders/working-proof.ts';
import { useAnnounced } from '#ui/live-region.tsx';
import styles from './orders.module.css';

/** A list that may lack orders says so before anything else, also to those who do not see it. */
export function IncompleteNotice({ proof, unread }: { readonly proof: WorkingProof; readonly unread: number }) {
  const [first, ...rest] = proof.unproven;
  useAnnounced(`INCOMPLETE. There may be working orders that are not in this list. ${first ?? ''}`, true);
  return (
    <p className={styles['incomplete']}>
      <strong>INCOMPLETE.</strong> There may be working orders that are not in this list. {first}
      {rest.length > 0 && ` And ${String(rest.length)} more: see the proof.`}
      {unread > 0 && ` ${formatCount(unread)} known from before stay in the list as unread, and are in no sum.`}
    </p>
  );
}
