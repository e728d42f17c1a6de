import { formatInstant, parseInstant, toEpochMillis, type EpochNanos } from '#contract/instant.ts';
import type { Question, Venue, VenueAnswer } from '../../ports.ts';
import { toRate, type EstimateStore } from './estimate-store.ts';

/** The venue, with every estimate that it answers remembered. */
export function noteEstimates(venue: Venue, store: EstimateStore): Venue {
  return {
    ...venue,
    read: async (question, options) => {
      const answer = await venue.read(question, options);
      if (question.name === 'fundingEstimated') note(store, question, answer, venue.state().clockOffsetMs ?? 0);
      return answer;
    },
  };
}

function note(store: EstimateStore, { pathParameters }: Question, { body, answeredAt }: VenueAnswer, offsetMs: number): void {
  const text = body.toString();
  const row = parse(text);
  const [start, end] = [parseTime(row['interval_start']), parseTime(row['interval_end'])];
  // What cannot be understood is the screen's to show: here it is only not remembered.
  if (start === null || end === null || start >= end) return;
  const estimate = toRate(text);
  if (estimate === null) return;
  const share = (answeredAt + offsetMs - toEpochMillis(start)) / (toEpochMillis(end) - toEpochMillis(start));
  if (share < 0 || share > 1) return;
  store.keep({ baseSymbol: pathParameters['base_symbol'] ?? '', endAt: formatInstant(end), share, estimate, readAt: answeredAt });
}

function parseTime(value: unknown): EpochNanos | null {
  return typeof value === 'string' ? parseInstant(value) : null;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
