import { type Evaluation, isMissing } from './readings.ts';

/** The fields of a rule that compares a value. */
interface Clearing {
  readonly value?: number | undefined;
  readonly clear_value?: number | undefined;
}

/** Evaluates a rule, and also whether alerts that fire must go on, if another value clears them. */
export function withClearing<Given extends object>(rule: Given, evaluateAs: (rule: Given) => Evaluation): Evaluation {
  const found = evaluateAs(rule);
  const { clear_value: value } = rule as Clearing;
  if (value === undefined || isMissing(found)) return found;
  const cleared = evaluateAs({ ...rule, value });
  if (isMissing(cleared)) return cleared;
  const stays = new Map(cleared.map(({ group: subject, holds }) => [subject, holds]));
  return found.map((reading) => ({ ...reading, stays: stays.get(reading.group) ?? null }));
}
