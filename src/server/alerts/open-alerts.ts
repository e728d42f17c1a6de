import type { SealedCursors } from '#server/core/sealed-cursors.ts';
import type { Changes } from '#server/core/changes.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import { openCallRoom, type CallRoomParts, type Calls } from './calls/open-call-room.ts';
import { createChannelTest } from './calls/test-channel.ts';
import { openRulesRoom, type RulesRoomParts } from './rules/open-rules-room.ts';
import { createRulePerformers, createRuleResponders } from './rules/rule-actions.ts';

interface AlertsParts extends Omit<RulesRoomParts, 'calls' | 'onChange' | 'journal' | 'lease'>, CallRoomParts {
  readonly journal: JournalRoom;
  readonly cursors: SealedCursors;
  readonly changes: Pick<Changes, 'note'>;
  readonly perpetuals: Parameters<typeof createRulePerformers>[1]['perpetuals'];
}

/** Rules, the alerts that they raise, and the calls that say so. */
export interface Alerts {
  readonly calls: Calls;
  /** By the endpoints of the contract. */
  readonly responders: ReturnType<typeof createRuleResponders>;
  /** By the actions of the contract. */
  readonly performers: ReturnType<typeof createRulePerformers> & {
    readonly testChannel: ReturnType<typeof createChannelTest>;
  };
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

export async function openAlerts(parts: AlertsParts): Promise<Alerts> {
  const calls = openCallRoom(parts);
  const onChange = (): void => {
    parts.changes.note('alerts');
  };
  const rules = await openRulesRoom({ ...parts, calls, onChange });
  return {
    calls,
    responders: createRuleResponders(rules, parts),
    performers: { ...createRulePerformers(rules, parts), testChannel: createChannelTest(calls) },
    start: () => {
      calls.start();
      rules.start();
    },
    close: async () => {
      await rules.close();
      await calls.close();
    },
  };
}
