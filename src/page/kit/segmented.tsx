import { useId } from 'react';
import { useProvideCommands } from './commands.tsx';
import hidden from './hidden.module.css';
import styles from './segmented.module.css';

interface SegmentedProps<Choice extends string> {
  readonly label: string;
  /** Whether the label is visible; if not, it is for screen readers only. */
  readonly labelShown?: boolean;
  readonly choices: readonly (readonly [choice: Choice, text: string])[];
  readonly value: Choice;
  readonly onChange: (choice: Choice) => void;
}

/** A choice of one from a few, as native radio buttons: one tab stop, arrows move. The others are commands, too. */
export function Segmented<Choice extends string>({
  label,
  labelShown = false,
  choices,
  value,
  onChange,
}: SegmentedProps<Choice>) {
  const name = useId();
  useProvideCommands(() =>
    choices
      .filter(([choice]) => choice !== value)
      .map(([choice, text]) => ({
        group: 'This screen',
        label: `${label}: ${text}`,
        remark: '',
        run: () => {
          onChange(choice);
        },
      })),
  );
  return (
    <fieldset className={styles['group']}>
      <legend className={labelShown ? styles['label'] : hidden['hidden']}>{label}</legend>
      <div className={styles['choices']}>
        {choices.map(([choice, text]) => (
          <label key={choice} className={styles['choice']}>
            <input
              type="radio"
              name={name}
              checked={choice === value}
              onChange={() => {
                onChange(choice);
              }}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
