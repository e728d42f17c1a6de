import { countOf } from '#model/format/count.ts';
import { Figure } from '#page/kit/controls/figure.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { joinDeviations, toDeviationFacts } from './deviation-facts.ts';
import type { Checked } from './panel-query.ts';

/** Shows that the interface has changed: quiet where fields were added, amber where promised data are missing or differ. */
export function DeviationMark({ responses }: { readonly responses: readonly (Partial<Checked> | undefined)[] }) {
  const deviations = joinDeviations(responses);
  const grave = deviations.filter(({ kind }) => kind !== 'unknown field').length;
  const text = grave > 0 ? countOf(grave, 'deviation') : countOf(deviations.length, 'unknown field');
  return (
    <StatusBadge state={grave > 0 ? 'attention' : 'none'}>
      <Figure name="Differs from the exchange’s API" text={text} provenance={() => toDeviationFacts(deviations)} />
    </StatusBadge>
  );
}
