import type { RefObject } from 'react';
import type { NamedProduct } from '#model/products/product-directory.ts';
import styles from '../shared/volume.module.css';

interface ProductChipsProps {
  readonly products: readonly NamedProduct[];
  readonly remove: (id: string) => void;
  /** Gets the focus when the chips are gone. */
  readonly next: RefObject<HTMLElement | null>;
}

export function ProductChips({ products, remove, next }: ProductChipsProps) {
  if (products.length < 2) return null;
  return (
    <ul className={styles['chips']} aria-label="Products">
      {products.map(({ id, name }) => (
        <li key={String(id)}>
          <button
            type="button"
            className={styles['chip']}
            aria-label={`Remove ${name}`}
            onClick={({ currentTarget }) => {
              // The last product left has no chip.
              keepFocus(currentTarget, products.length > 2 ? null : next.current);
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

/** A chip disappears when pressed: the focus moves to `next`, or else to the chip beside it. */
function keepFocus(chip: HTMLElement, next: HTMLElement | null): void {
  const item = chip.closest('li');
  (next ?? (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button'))?.focus();
}
