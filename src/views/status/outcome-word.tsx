import { StateWord } from '#ui/state-word.tsx';
import type { EndpointRow } from './endpoint-rows.ts';

const STATES = new Map<string, 'good' | 'attention' | 'bad' | 'none'>([
  ['good', 'good'],
  ['drift', 'attention'],
  ['failed', 'bad'],
  ['not offered', 'none'],
  ['not tried', 'none'],
]);

/** A word that a newer desk says is shown as it came, and asks for attention. */
export function OutcomeWord({ outcome }: { readonly outcome: EndpointRow['shape'] }) {
  if (outcome === null) return <>–</>;
  return <StateWord state={STATES.get(outcome) ?? 'attention'}>{outcome}</StateWord>;
}
