import { toRuleSentence } from '#model/rules/rule-sentence.ts';
import { asRule, type RuleDraft } from './rule-draft.ts';
import styles from './form.module.css';

/** A field of several controls is entered at its first one. */
function focusField(slot: string): void {
  const field = document.querySelector<HTMLElement>(`[data-slot="${slot}"]`);
  (field?.querySelector<HTMLElement>('button') ?? field)?.focus();
}

/** The rule as a sentence while it is made. Each part of it that can be changed leads to its field. */
export function RuleSentenceLine({ draft }: { readonly draft: RuleDraft }) {
  return (
    <p className={styles['sentence']} data-testid="rule-sentence">
      {toRuleSentence(asRule(draft)).map(({ text, slot }, index) =>
        slot === null ? (
          text
        ) : (
          <button
            key={index}
            type="button"
            onClick={() => {
              focusField(slot);
            }}
          >
            {text}
          </button>
        ),
      )}
    </p>
  );
}
