import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { PRICE_PARAMS } from '../shared/price-params.ts';
import styles from '../shared/price.module.css';
import { SPECIFICATION_ID } from './specification.tsx';

/** Shows the specification below the header, or hides it; the address says which. */
export function SpecificationToggle() {
  const [shown, setShown] = useUrlState(PRICE_PARAMS.specification);
  const isOpen = shown === 'open';
  return (
    <button
      type="button"
      className={styles['disclosure']}
      aria-expanded={isOpen}
      aria-controls={isOpen ? SPECIFICATION_ID : undefined}
      onClick={() => {
        setShown(isOpen ? 'closed' : 'open');
      }}
    >
      Specification
    </button>
  );
}
