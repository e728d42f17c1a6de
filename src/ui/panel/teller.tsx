import { createContext } from 'react';
import type { ReactNode } from 'react';
import { useProvided } from '../use-provided.ts';
import type { Deviation, PanelQuery, Stamp } from './panel-query.ts';

/** What kept a panel from its data, told to a person. */
export interface Trouble {
  /** `forbidden`: somebody has to allow it. `refused`: it cannot be answered. `failed`: it may work later. */
  readonly kind: 'forbidden' | 'refused' | 'failed';
  readonly title: string;
  readonly detail: string;
  readonly advice: string;
  /** When it is asked again by itself, in epoch milliseconds. */
  readonly retryAt: number | null;
  /** What helps to find out more, beside what it is. */
  readonly evidence: { readonly name: string; readonly text: string } | null;
}

export interface Age {
  readonly mark: 'live' | 'ageing' | 'stale' | 'settled';
  readonly ageSeconds: number;
}

/** What the panels of the design kit do not know themselves: which failures there are, and how old is old. */
export interface Teller {
  readonly ofError: (error: Error) => Trouble;
  /** Why an answer is an old one, as a sentence. */
  readonly ofReason: (staleBecause: string) => string;
  /** What to do about it, as a sentence. */
  readonly adviceOn: (staleBecause: string) => string;
  /** More than was promised; nothing that was promised is missing or means something else. */
  readonly isHarmless: (deviation: Deviation) => boolean;
  readonly ofAge: (query: PanelQuery<Stamp> & { readonly data: Stamp }, everySeconds: number, now: number) => Age;
}

const TellerContext = createContext<Teller | null>(null);

export function TellerProvider({ teller, children }: { readonly teller: Teller; readonly children: ReactNode }) {
  return <TellerContext value={teller}>{children}</TellerContext>;
}

export function useTeller(): Teller {
  return useProvided(TellerContext, 'teller');
}
