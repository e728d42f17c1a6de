import { parseFields } from '#page/kit/stored-value.ts';
import type { SavedAtDesk } from '#page/kit/saved/saved-record.ts';
import { mergeViews, mergeWatchlists, type Merge } from './merge.ts';

interface ItemTexts {
  readonly name: string;
  /** In this browser; empty: nothing. */
  readonly local: string;
  /** As this browser and the desk last agreed; undefined: they never did. */
  readonly base: SavedAtDesk | undefined;
  /** At the desk; undefined: nothing was ever saved. */
  readonly remote: SavedAtDesk | undefined;
}

const VERSION = 1;
const NEVER: SavedAtDesk = { version: 0, text: '' };

/** What both are to have. Null: it was saved by a later version of Perpdesk, whose form this page does not know. */
export function planItem({ name, local, base, remote = NEVER }: ItemTexts): string | null {
  if (!isKnown(remote.text)) return null;
  if (local === remote.text) return local;
  // A desk that has forgotten what it had, such as one restored from a backup, is one that this browser has never met.
  if (base === undefined || remote.version < base.version) return meet(name, local, remote);
  if (local === base.text) return remote.text;
  if (remote.version === base.version) return local;
  return local === '' || remote.text === ''
    ? local || remote.text
    : (mergeOf(name)?.(base.text, local, remote.text) ?? local);
}

/** Without what they had in common, nothing counts as deleted. */
function meet(name: string, local: string, remote: SavedAtDesk): string {
  if (remote.text === '') return local;
  return local === '' ? remote.text : (mergeOf(name)?.('', local, remote.text) ?? remote.text);
}

function mergeOf(name: string): Merge | undefined {
  if (name === 'watchlists') return mergeWatchlists;
  return name.endsWith('.views') ? mergeViews : undefined;
}

function isKnown(text: string): boolean {
  return text === '' || parseFields(text, VERSION)['version'] === VERSION;
}
