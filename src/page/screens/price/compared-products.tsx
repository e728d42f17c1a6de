import { type CSSProperties, type RefObject, useRef } from 'react';
import { COMPARED_AS, type ComparedAs } from '#model/charts/price/compared-as.ts';
import { inkOf } from '#model/charts/price/comparison-chart.ts';
import { type NamedProduct, toAddressName } from '#model/products/product-directory.ts';
import { useProvideCommands } from '#page/kit/commands.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { PRICE_PARAMS } from './shared/price-params.ts';
import styles from './shared/price.module.css';

interface ComparedProductsProps {
  /** The shown product, then those of the address that are compared with it. */
  readonly products: readonly NamedProduct[];
  /** The field that adds a product. It has the focus after the last one is removed. */
  readonly field: RefObject<HTMLButtonElement | null>;
}

/** The compared products in the inks of their lines. All but the shown one can be removed. */
export function ComparedProducts({ products, field }: ComparedProductsProps) {
  const [against, setAgainst] = useUrlState(PRICE_PARAMS.against, 'push');
  const list = useRef<HTMLUListElement>(null);
  const remove = (place: number): void => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    (buttons[place] ?? buttons[place - 2] ?? field.current)?.focus();
    const removed = products[place];
    setAgainst(against.filter((other) => removed === undefined || other !== toAddressName(removed)));
  };
  return (
    <ul ref={list} aria-label="Compared products">
      {products.map(({ id, name }, place) => (
        <li key={String(id)}>
          <i style={toInk(place)} />
          {name}
          {place > 0 && (
            <button
              type="button"
              aria-label={`Remove ${name} from the comparison`}
              title="Remove"
              onClick={() => {
                remove(place);
              }}
            >
              ×
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The page’s policy allows style properties set by script, but no style in markup. */
function toInk(place: number): CSSProperties {
  return { '--swatch': `var(--${inkOf(place)})` } as CSSProperties;
}

export const PANE_NAMES: Readonly<Record<ComparedAs, string>> = {
  rebased: 'Rebased to 100',
  difference: 'Difference',
  ratio: 'Ratio',
  basis: 'Basis a year',
};

/** Chooses the panes of the comparison. The last one stays. */
export function ComparedPanes() {
  const [chosen, setChosen] = useUrlState(PRICE_PARAMS.comparedAs);
  const toggle = (as: ComparedAs): void => {
    setChosen(COMPARED_AS.filter((other) => chosen.includes(other) !== (other === as)));
  };
  const isLast = (as: ComparedAs): boolean => chosen.length === 1 && chosen.includes(as);
  useProvideCommands(() =>
    COMPARED_AS.filter((as) => !isLast(as)).map((as) => ({
      group: 'This screen',
      label: `${chosen.includes(as) ? 'Hide' : 'Show'} pane: ${PANE_NAMES[as]}`,
      remark: '',
      run: () => {
        toggle(as);
      },
    })),
  );
  return (
    <fieldset>
      <legend>Panes</legend>
      {COMPARED_AS.map((as) => (
        <label key={as} className={styles['choice']}>
          <input
            type="checkbox"
            checked={chosen.includes(as)}
            disabled={isLast(as)}
            onChange={() => {
              toggle(as);
            }}
          />
          {PANE_NAMES[as]}
        </label>
      ))}
    </fieldset>
  );
}

/** `A, B and C`. */
export function nameAll(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
