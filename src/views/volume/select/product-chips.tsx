import type { RefObject } from 'react';
import type { NamedProduct } from '#domain/find-product.ts';
import styles from '../volume.module.css';

interface ProductChipsProps {
  readonly products: readonly NamedProduct[];
  readonly remove: (id: string) => void;
  /** Has the keyboard when the chips are gone. */
  readonly next: RefObject<HTMLElement | null>;
}

/** What is shown together; each is taken out by a click. */
export function ProductChips({ products, remove, next }: ProductChipsProps) {
  if (products.length < 2) return null;
  return (
    <ul className={styles['chips']} aria-label="Products">
      {products.map(({ id, name }) => (
        <li key={String(id)}>
          <button
            type="button"
            className={styles['chip']}
            aria-label={`Take out ${name}`}
            onClick={({ currentTarget }) => {
              // With one left there is nothing to take out.
              keepKeyboard(currentTarget, products.length > 2 ? null : next.current);
              remove(String(id));
            }}
          >
            {name} <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A chip goes when it is pressed: what is told, or else the chip beside it, has the keyboard then. */
function keepKeyboard(chip: HTMLElement, next: HTMLElement | null): void {
  const item = chip.closest('li');
  (next ?? (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button'))?.focus();
}
