import type { Rule } from '#contract/desk/rules.ts';
import styles from './form.module.css';
import { changeField, type RuleFieldsProps } from './rule-draft.ts';
import type { ChannelsToNotify } from './use-channels-to-notify.ts';
import { SpanField, toNumber } from './rule-fields.tsx';

type Steps = NonNullable<Rule['escalate']>;

const FIRST_STEP_SECONDS = 300;

/** Edits what follows if an alert is not acknowledged, which needs a channel that is notified first. */
export function LaterNotificationFields({
  draft,
  change,
  mistakeOf,
  calls: { names, mayChoose },
}: RuleFieldsProps & { readonly calls: ChannelsToNotify }) {
  const channels = (draft['channels'] ?? []) as readonly string[];
  const steps = (draft['escalate'] ?? []) as Steps;
  const put = (next: Steps): void => {
    change(changeField(draft, 'escalate', next.length === 0 ? undefined : next));
  };
  const replace = (index: number, step: Partial<Steps[number]>): void => {
    put(steps.map((one, at) => (at === index ? { ...one, ...step } : one)));
  };
  const free = names.filter((name) => ![channels, ...steps.map((step) => step.channels)].flat().includes(name));
  const last = steps.at(-1)?.after_seconds ?? 0;
  if (!mayChoose || channels.length === 0) return null;
  return (
    <fieldset className={styles['group']}>
      <legend>Until it is acknowledged</legend>
      <SpanField
        label="Repeat every"
        slot="repeat_seconds"
        value={draft['repeat_seconds'] === undefined ? 0 : toNumber(draft['repeat_seconds'])}
        onChange={(seconds) => {
          change(changeField(draft, 'repeat_seconds', seconds === 0 ? undefined : seconds));
        }}
        mistake={mistakeOf('repeat_seconds')}
        hint="With 0, nothing is repeated."
      />
      {steps.map((step, index) => {
        const [at, number] = [`escalate[${String(index)}]`, String(index + 1)];
        return (
          <div key={at} className={styles['field']} role="group" aria-label={`Step ${number}`}>
            <SpanField
              label={`Step ${number} after`}
              slot={index === 0 ? 'escalate' : at}
              value={step.after_seconds}
              onChange={(seconds) => {
                replace(index, { after_seconds: seconds ?? 0 });
              }}
              mistake={mistakeOf(`${at}.after_seconds`) ?? mistakeOf('escalate')}
            />
            <div className={styles['checks']}>
              {[...step.channels, ...free].map((name) => (
                <label key={name}>
                  <input
                    type="checkbox"
                    checked={step.channels.includes(name)}
                    onChange={({ target: { checked } }) => {
                      const others = step.channels.filter((one) => one !== name);
                      replace(index, { channels: checked ? [...others, name] : others });
                    }}
                  />
                  {name}
                </label>
              ))}
            </div>
            {mistakeOf(`${at}.channels`) !== undefined && (
              <p className={styles['hint']} data-mistake="true">
                {mistakeOf(`${at}.channels`)}
              </p>
            )}
            <button
              type="button"
              onClick={() => {
                put(steps.filter((one) => one !== step));
              }}
            >
              Remove step {number}
            </button>
          </div>
        );
      })}
      {free.length > 0 && (
        <button
          type="button"
          onClick={() => {
            put([...steps, { after_seconds: last + FIRST_STEP_SECONDS, channels: free.slice(0, 1) }]);
          }}
        >
          Notify other channels later
        </button>
      )}
    </fieldset>
  );
}
