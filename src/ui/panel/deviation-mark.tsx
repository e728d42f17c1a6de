import { countOf } from '#domain/format-count.ts';
import { Figure } from '../figure.tsx';
import { StateWord } from '../state-word.tsx';
import { joinDeviations, toDeviationFacts } from './deviation-facts.ts';
import type { Judged } from './panel-query.ts';
import { useTeller } from './teller.tsx';

/** That the interface has moved: quietly where there is only more of it, amber where what was promised is not there. */
export function DeviationMark({ answers }: { readonly answers: readonly (Partial<Judged> | undefined)[] }) {
  const teller = useTeller();
  const deviations = joinDeviations(answers);
  const grave = deviations.filter((deviation) => !teller.isHarmless(deviation)).length;
  const text = grave > 0 ? `answers differ in ${countOf(grave, 'place')}` : countOf(deviations.length, 'unknown field');
  return (
    <StateWord state={grave > 0 ? 'attention' : 'none'}>
      <Figure name="Not as the interface says" text={text} provenance={() => toDeviationFacts(deviations)} />
    </StateWord>
  );
}
