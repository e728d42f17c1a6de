import { useState } from 'react';
import { useAction } from '#page/client/react/use-rules-api.ts';
import { checkRules, type Rule, type RuleMistake } from '#contract/desk/rules.ts';
import { countOf } from '#model/format/count.ts';
import { download } from '#page/kit/download.ts';
import { ImportFile } from '#page/kit/import-file.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { ActionError, Mistakes } from '#page/panels/action-error.tsx';
import styles from '../shared/rules.module.css';

/** Rules as a file: all of its mistakes are shown at once, each with its place, and then nothing is imported. */
export function RuleFiles({ rules }: { readonly rules: readonly Rule[] }) {
  const { mutate, error, reset } = useAction('importRules');
  const [mistakes, setMistakes] = useState<readonly RuleMistake[]>([]);
  const [imported, setImported] = useState<number | null>(null);
  const refusal =
    mistakes.length === 0 ? null : `${countOf(mistakes.length, 'mistake')} in this file: nothing was imported.`;
  const done = imported === null ? null : `${countOf(imported, 'rule')} imported.`;
  useAnnounced(refusal ?? done);
  const read = (text: string): void => {
    reset();
    setImported(null);
    const found = readRules(text);
    setMistakes(found.mistakes);
    if (found.mistakes.length > 0) return;
    mutate(
      { body: { rules: [...found.rules] } },
      {
        onSuccess: () => {
          setImported(found.rules.length);
        },
      },
    );
  };
  return (
    <>
      <button
        type="button"
        disabled={rules.length === 0}
        onClick={() => {
          download('rules.json', `${JSON.stringify({ rules }, null, 2)}\n`, 'application/json');
        }}
      >
        Export to file
      </button>
      <ImportFile read={read} />
      {done !== null && <span className={styles['done']}>{done}</span>}
      {refusal !== null && (
        <div className={styles['failed']}>
          <strong>{refusal}</strong>
          <Mistakes mistakes={mistakes} />
        </div>
      )}
      <ActionError error={error} />
    </>
  );
}

/** Takes what an export wrote. */
function readRules(text: string): ReturnType<typeof checkRules> {
  const parsed = parseJson(text);
  if (parsed === undefined) return { rules: [], mistakes: [{ path: '$', detail: 'must be JSON' }] };
  const { rules } = (parsed ?? {}) as { readonly rules?: unknown };
  if (!Array.isArray(rules)) return { rules: [], mistakes: [{ path: '$.rules', detail: 'must be a list of rules' }] };
  return checkRules(rules);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
