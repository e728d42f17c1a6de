/**
 * What a call is about. It fires; it fired, and does not hold any more; whether it holds cannot be found out; that can be found
 * out again, and it did not fire before; it is not evaluated any more, so that nobody knows; or an earlier call was wrong, since
 * it rested on a list of orders that was not complete.
 */
export const CALL_STATES = ['firing', 'no data', 'resolved', 'data again', 'ended', 'corrected'] as const;
export type CallState = (typeof CALL_STATES)[number];

/** What a rule says of one group, at the moment its state changed. */
export interface AlertEvent {
  /** Equal for equal events, across restarts and desks: rule, group, when it began, state. A call with the same key is sent once. */
  readonly key: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly severity: 'info' | 'warning' | 'critical';
  /** The account, product, firm or connection, if the rule is for each; otherwise empty. */
  readonly group: string;
  readonly state: CallState;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly startedAt: number;
  /** What it says, as a sentence: "Working orders of NORD-105: 1,204, over 1,000." */
  readonly sentence: string;
  /** Where the screen shows it, below the desk's address. */
  readonly path: string;
}

/** Where calls go: an address or recipients that the settings name. */
export interface Channel {
  readonly name: string;
  readonly kind: 'standard' | 'slack' | 'pagerduty' | 'mail';
  /** Only the host: the rest of an address may be a secret. */
  readonly host: string;
}

export interface CallRoom {
  /** Resolves once the events are in the store, so that they are delivered even if the desk dies; already known keys are left out. */
  readonly enqueue: (events: readonly AlertEvent[], channels: readonly string[]) => Promise<void>;
  readonly channels: () => readonly Channel[];
  readonly start: () => void;
  readonly close: () => Promise<void>;
}
