/** The fields of a rule that its sentence names. */
export type SentenceSlot =
  | 'measure'
  | 'filter'
  | 'expression'
  | 'each'
  | 'data'
  | 'base_symbol'
  | 'against'
  | 'comparison'
  | 'value'
  | 'window_seconds'
  | 'for_seconds'
  | 'severity'
  | 'channels';

export interface SentencePart {
  readonly text: string;
  /** The field that the text is of; null for the words between. */
  readonly slot: SentenceSlot | null;
}

export function plain(text: string): SentencePart {
  return { text, slot: null };
}

export function slot(name: SentenceSlot, text: string): SentencePart {
  return { text, slot: name };
}

/** In place of what is not given yet, while a rule is made. */
export const MISSING = '…';
