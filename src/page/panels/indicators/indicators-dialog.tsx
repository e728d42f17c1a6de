import { useRef, useState } from 'react';
import {
  findConflict,
  findMistake,
  firstOf,
  type IndicatorKind,
  MOST_INDICATORS,
  readIndicators,
  ruleOf,
  writeIndicator,
} from '#model/charts/indicators/indicator-spec.ts';
import { Dialog } from '#page/kit/dialog.tsx';
import { TextField } from '#page/kit/field.tsx';
import styles from './indicators.module.css';

interface IndicatorsDialogProps {
  readonly words: readonly string[];
  readonly setWords: (words: readonly string[]) => void;
  readonly offered: readonly IndicatorKind[];
  readonly close: () => void;
}

/** An indicator in the dialog. What is written may not be valid yet; the chart keeps what was valid last. */
interface Line {
  readonly key: number;
  readonly kind: IndicatorKind;
  readonly written: readonly string[];
  /** As in the address. */
  readonly valid: string;
}

/** Adds, changes and removes the indicators of a chart. Each change shows at once. */
export function IndicatorsDialog({ words, setWords, offered, close }: IndicatorsDialogProps) {
  const [lines, setLines] = useState<readonly Line[]>(() =>
    readIndicators(words, offered).specs.map(({ kind, parameters }, key) => ({
      key,
      kind,
      written: parameters,
      valid: writeIndicator(kind, parameters),
    })),
  );
  const added = useRef(lines.length);
  const choices = useRef<HTMLDivElement>(null);
  const show = (next: readonly Line[]): void => {
    setLines(next);
    setWords([...new Set(next.map(({ valid }) => valid))]);
  };
  const add = (kind: IndicatorKind): void => {
    const key = added.current;
    added.current += 1;
    const [, ...written] = firstOf(kind).split(':');
    show([...lines, { key, kind, written, valid: firstOf(kind) }]);
  };
  const isFull = lines.length >= MOST_INDICATORS;
  return (
    <Dialog title="Indicators" close={close}>
      <ul className={styles['lines']}>
        {lines.map((line, place) => (
          <IndicatorLine
            key={line.key}
            line={line}
            isRepeated={lines.slice(0, place).some(({ valid }) => valid === line.valid)}
            onChange={(changed) => {
              show(lines.with(place, changed));
            }}
            onRemove={() => {
              show(lines.toSpliced(place, 1));
              choices.current?.querySelector('button')?.focus();
            }}
          />
        ))}
      </ul>
      {lines.length === 0 && <p className={styles['note']}>None yet. They are computed from settled bars.</p>}
      <div ref={choices} className={styles['choices']} role="group" aria-label="Add an indicator">
        {offered.map((kind) => (
          <button
            key={kind}
            type="button"
            aria-disabled={isFull}
            onClick={() => {
              if (!isFull) add(kind);
            }}
          >
            + {ruleOf(kind).name}
          </button>
        ))}
      </div>
      {isFull && <p className={styles['note']}>A chart has at most eight indicators. Remove one to add another.</p>}
    </Dialog>
  );
}

interface IndicatorLineProps {
  readonly line: Line;
  /** Whether another line has the same indicator. */
  readonly isRepeated: boolean;
  readonly onChange: (line: Line) => void;
  readonly onRemove: () => void;
}

function IndicatorLine({ line, isRepeated, onChange, onRemove }: IndicatorLineProps) {
  const { kind, written, valid } = line;
  const { name, parameters } = ruleOf(kind);
  const mistakes = parameters.map((rule, place) => findMistake(rule, written[place] ?? ''));
  const conflict = mistakes.every((mistake) => mistake === null) ? findConflict(kind, written) : null;
  const change = (next: readonly string[]): void => {
    const isValid =
      parameters.every((rule, place) => findMistake(rule, next[place] ?? '') === null) &&
      findConflict(kind, next) === null;
    onChange({ ...line, written: next, valid: isValid ? writeIndicator(kind, next) : valid });
  };
  return (
    <li aria-label={name}>
      <strong>{name}</strong>
      {parameters.map((rule, place) => (
        <TextField
          key={rule.name}
          label={rule.name}
          value={written[place] ?? ''}
          mistake={mistakes[place] ?? (place === 0 ? (conflict ?? undefined) : undefined)}
          onChange={(text) => {
            change(written.with(place, text));
          }}
        />
      ))}
      <button type="button" onClick={onRemove} aria-label={`Remove ${name}`}>
        Remove
      </button>
      {isRepeated && <p className={styles['note']}>The same as another: it is drawn once.</p>}
    </li>
  );
}
