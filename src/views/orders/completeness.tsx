import { countOf } from '#domain/format-count.ts';
import type { WorkingProof } from '#domain/orders/working-proof.ts';
import { StateWord } from '#ui/state-word.tsx';

/** The one thing that has to be known of a list of what is ours in the market. */
export function Completeness({ proof }: { readonly proof: WorkingProof }) {
  const parts = countOf(proof.parts.length, 'part');
  return proof.complete ? <StateWord state="good">complete, {parts}</StateWord> : <StateWord state="bad">INCOMPLETE, {parts}</StateWord>;
}
