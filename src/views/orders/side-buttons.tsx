import { useUrlState } from '#ui/navigation/navigation.tsx';
import styles from './orders.module.css';
import { sideParam, type Side } from './side-params.ts';

const BUTTONS: readonly (readonly [side: Side, text: string])[] = [
  ['depth', 'Depth'],
  ['proof', 'Proof'],
];

/** What can be shown beside the list. */
export function SideButtons() {
  const [side, setSide] = useUrlState(sideParam);
  return BUTTONS.map(([one, text]) => (
    <button
      key={one}
      type="button"
      className={styles['toggle']}
      aria-pressed={side === one}
      onClick={() => {
        setSide(side === one ? 'none' : one);
      }}
    >
      {text}
    </button>
  ));
}
