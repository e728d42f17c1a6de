import { useRef, useState } from 'react';
import { Field } from '#page/kit/field.tsx';
import { splitCodes } from './split-codes.ts';
import styles from '../shared/access.module.css';

interface CodesFieldProps {
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (codes: string[]) => void;
}

/** Codes, each with a button that removes it. Enter, comma or space adds what was typed or pasted, Backspace removes the last. */
export function CodesField({ label, value, onChange }: CodesFieldProps) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const add = (typed: string): void => {
    setText('');
    onChange([...new Set([...value, ...splitCodes(typed)])]);
  };
  const remove = (code: string): void => {
    onChange(value.filter((each) => each !== code));
    input.current?.focus();
  };
  return (
    <Field label={label}>
      {(control) => (
        <div className={styles['tokens']}>
          {value.map((code) => (
            <button
              key={code}
              type="button"
              aria-label={`Remove ${code}`}
              onClick={() => {
                remove(code);
              }}
            >
              {code} ×
            </button>
          ))}
          <input
            {...control}
            ref={input}
            type="text"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={({ target }) => {
              if (/[\s,;]/.test(target.value)) add(target.value);
              else setText(target.value);
            }}
            onBlur={() => {
              if (text !== '') add(text);
            }}
            onKeyDown={(event) => {
              const last = value.at(-1);
              if (event.key === 'Enter' && text !== '') {
                event.preventDefault();
                add(text);
              } else if (event.key === 'Backspace' && text === '' && last !== undefined) {
                remove(last);
              }
            }}
          />
        </div>
      )}
    </Field>
  );
}
