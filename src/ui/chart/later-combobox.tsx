import { later } from '../later.tsx';
import styles from './chart.module.css';

/** A combobox that comes after the picture does: positioning and finding weigh more than all else on the screen. */
export const LaterCombobox = later(async () => (await import('../combobox.tsx')).Combobox, <span className={styles['room']} />);
