import styles from './markets-screen.module.css';

interface ToggleProps {
  readonly text: string;
  readonly on: boolean;
  readonly set: (on: boolean) => void;
}

/** A button that stays pressed. */
export function Toggle({ text, on, set }: ToggleProps) {
  return (
    <button
      type="button"
      className={styles['toggle']}
      aria-pressed={on}
      onClick={() => {
        set(!on);
      }}
    >
      {text}
    </button>
  );
}
