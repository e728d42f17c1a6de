import { flag, integer, number, text } from '../exchange/fields.ts';
import { list, optional, row, scalar, type Static } from '../exchange/schema.ts';

/** When a rule is evaluated, when its alerts end, and how often they are notified. */

/** The first is Monday. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

const RuleHours = row('RuleHours', 'Hours outside which a rule is not evaluated.', {
  zone: text('The time zone by its IANA name: `America/Chicago`.'),
  days: list(scalar<Weekday>({ type: 'string', enum: WEEKDAYS, description: 'A day on which the hours begin.' })),
  from: text('When they begin, by the clock of the zone: `08:30`.'),
  to: text('When they end: `16:00`. If that is not after their begin, they end on the next day.'),
  except_holidays: flag('Whether they begin on none of the holidays in the file that `DESK_HOLIDAYS_FILE` names.'),
});
export type RuleHours = Static<typeof RuleHours>;

/** Fields of every rule. */
export const timing = {
  keep_seconds: optional(integer('How long an alert keeps firing once the condition no longer holds; 0 by default.')),
  at_most_every_seconds: optional(
    integer('An alert that ends and begins again is notified at most once in this time; always by default.'),
  ),
  hours: optional(RuleHours),
};

/** A field of every rule that compares a value. */
export const clearing = {
  clear_value: optional(
    number(
      'What the measure must reach before a firing alert ends: at most the value if that is an upper limit, at ' +
        'least the value if it is a lower one. By default, the value.',
    ),
  ),
};

type Fields = Readonly<Record<string, unknown>>;
type Wrong = readonly [field: string, detail: string];

const LONGEST_SECONDS = 86_400;
const CLOCK_PATTERN = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Finds mistakes beyond the types of fields. */
export function findWrongTiming(fields: Fields): readonly Wrong[] {
  return [
    ...(['keep_seconds', 'at_most_every_seconds'] as const).flatMap((field): readonly Wrong[] => {
      const seconds = fields[field];
      const isRight = typeof seconds !== 'number' || (seconds >= 0 && seconds <= LONGEST_SECONDS);
      return isRight ? [] : [[field, `must be 0 to ${String(LONGEST_SECONDS)}`]];
    }),
    ...findWrongClearing(fields),
    ...findWrongHours(fields['hours']),
  ];
}

function findWrongClearing({ comparison, value, clear_value: clear }: Fields): readonly Wrong[] {
  if (clear === undefined) return [];
  if (typeof value !== 'number') return [['clear_value', 'must only be given with a value']];
  if (comparison === 'crosses') return [['clear_value', 'must not be given for what crosses a value']];
  if (typeof clear !== 'number') return [];
  const isRight = comparison === 'under' ? clear >= value : clear <= value && (comparison === 'over' || clear >= 0);
  if (isRight) return [];
  return [['clear_value', comparison === 'under' ? 'must not be under the value' : 'must not be over the value']];
}

function findWrongHours(hours: unknown): readonly Wrong[] {
  if (typeof hours !== 'object' || hours === null) return [];
  const { zone, days, from, to } = hours as Fields;
  const found: Wrong[] = [];
  if (typeof zone === 'string' && !isTimeZone(zone))
    found.push(['hours.zone', 'must be the name of a time zone, such as America/Chicago']);
  if (Array.isArray(days) && (days.length === 0 || new Set(days).size < days.length))
    found.push(['hours.days', 'must name at least one day, and none twice']);
  for (const [field, time] of [
    ['from', from],
    ['to', to],
  ] as const)
    if (typeof time === 'string' && !CLOCK_PATTERN.test(time))
      found.push([`hours.${field}`, 'must be a time such as 08:30']);
  return found;
}

/** Offsets such as `+02:00` are no zones, because they know no daylight saving time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
