import { describeProvenance } from '#model/format/provenance.ts';
import type { LifePhrase } from '#model/orders/life-phrases.ts';
import { Figure } from '#page/kit/controls/figure.tsx';
import type { Fact } from '#model/format/fact.ts';
import { formatInAllZones } from '#model/format/format-time.ts';

/** What a field changed to, with the provenance of its figures. */
export function LifePhraseText({ phrase }: { readonly phrase: LifePhrase }) {
  const { name, text, figures } = phrase;
  return figures.length === 0 ? text : <Figure name={name} text={text} provenance={() => explain(phrase)} />;
}

/** The figure as it is, and as it was. */
function explain({ figures }: LifePhrase): readonly Fact[] {
  const [is, was] = figures.toReversed();
  if (is === undefined) return [];
  const before =
    was?.provenance.kind === 'read'
      ? [{ name: 'Raw value before', value: was.provenance.wireText ?? 'null', code: true }]
      : [];
  return [...before, ...describeProvenance(is, formatInAllZones)];
}
