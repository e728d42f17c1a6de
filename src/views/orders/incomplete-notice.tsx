import type { WorkingProof } from '#domain/orders/working-proof.ts';
import styles from './orders.module.css';

/** A list that may lack orders says so before anything else, also to those who do not see it. */
export function IncompleteNotice({ proof }: { readonly proof: WorkingProof }) {
  const [first, ...rest] = proof.unproven;
  return (
    <p className={styles['incomplete']} role="alert">
      <strong>INCOMPLETE.</strong> There may be working orders that are not in this list. {first}
      {rest.length > 0 && ` And ${String(rest.length)} more: see the proof.`}
    </p>
  );
}
