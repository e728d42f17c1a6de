import { useQuery } from '@tanstack/react-query';
import { predictedEverySeconds } from '#contract/desk/rule-measures.ts';
import { countOf } from '#model/format/count.ts';
import { formatDuration } from '#model/format/format-time.ts';
import { toPerpetualItems } from '#model/products/product-directory.ts';
import { isActive } from '#model/products/is-active.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { ChoiceField } from '#page/kit/field.tsx';
import { ListedField } from './listed-field.tsx';
import { ProductField } from './product-field.tsx';
import {
  changeField,
  choosePerpetuals,
  type PerpetualChoice,
  perpetualChoiceOf,
  type RuleFieldsProps,
  textOf,
} from './rule-draft.ts';

const CHOICES: readonly (readonly [PerpetualChoice, string])[] = [
  ['one', 'one perpetual'],
  ['several', 'each of a list'],
  ['every', 'every perpetual'],
];

/** Edits which perpetuals a rule about funding is about. */
export function PerpetualFields({ draft, change, mistakeOf }: RuleFieldsProps) {
  const choice = perpetualChoiceOf(draft);
  const put = (field: string) => (value: unknown) => {
    change(changeField(draft, field, value));
  };
  return (
    <>
      <ChoiceField
        label="Evaluated for"
        value={choice}
        choices={CHOICES}
        {...(choice === 'every' && { slot: 'base_symbol' })}
        onChange={(next) => {
          change(choosePerpetuals(draft, next as PerpetualChoice));
        }}
        hint={<HowOften draft={draft} />}
      />
      {choice === 'one' && (
        <ProductField
          label="Perpetual"
          slot="base_symbol"
          choices="perpetual"
          value={textOf(draft, 'base_symbol')}
          onChange={put('base_symbol')}
          mistake={mistakeOf('base_symbol')}
        />
      )}
      {choice === 'several' && (
        <ListedField
          label="Perpetuals"
          slot="base_symbol"
          choices="perpetual"
          values={(draft['base_symbols'] ?? []) as readonly string[]}
          onChange={put('base_symbols')}
          mistake={mistakeOf('base_symbols')}
        />
      )}
      {draft['against'] !== undefined && (
        <ProductField
          label="Minus the rate of"
          slot="against"
          choices="perpetual"
          value={textOf(draft, 'against')}
          onChange={put('against')}
          mistake={mistakeOf('against')}
        />
      )}
    </>
  );
}

/** Says how often the rates are read, since a rule about many perpetuals takes more requests. */
function HowOften({ draft }: Pick<RuleFieldsProps, 'draft'>) {
  const { queries } = useApi();
  const directory = useQuery(queries.desk.products({})).data?.value.products;
  if (draft.measure === 'premium') return 'Mark and index are published with each settled rate.';
  if (draft.measure !== 'predicted_rate') return 'Settled rates are read every 5 min: one request for each new rate.';
  const listed = draft['base_symbols'] as readonly string[] | undefined;
  const choice = perpetualChoiceOf(draft);
  const count =
    choice === 'one'
      ? 1
      : choice === 'several'
        ? listed?.length
        : directory && toPerpetualItems(directory.filter(isActive)).length;
  if (count === undefined || count === 0) return 'Each predicted rate takes a request of its own.';
  const every = formatDuration(predictedEverySeconds(count));
  return `${countOf(count, 'predicted rate')}, each read every ${every} while the request budget allows.`;
}
