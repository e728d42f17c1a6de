import type { KeyBinding } from '../keys/keyboard.ts';
import { useKeys } from '../keys/use-keys.tsx';
import { useSingleKeys } from '../preferences/use-preferences.tsx';

const group = 'In the grid';
const KEYS: readonly KeyBinding[] = [
  { keys: '← → ↑ ↓', does: 'From cell to cell; with Shift a range', group },
  { keys: 'Home End', does: 'Ends of the row; with Ctrl of the list', group },
  { keys: 'PageUp PageDown', does: 'By a page', group },
  { keys: 'Space', does: 'Select the row; with Shift all up to it; press a cell’s button', group },
  { keys: 'Enter', does: 'Open the row, or follow the cell’s link; on a head sort, with Shift by one more', group },
  { keys: 'Alt+← Alt+→', does: 'Make the column narrower or wider', group },
  { keys: 'Shift+← Shift+→', does: 'On a head: move the column', group },
  { keys: 'Shift+F10', does: 'What can be done with the column', group },
  { keys: 'Mod+c', does: 'Copy what is selected, for a spreadsheet', group },
  { keys: 'Mod+a', does: 'Select all', group },
  { keys: 'i', does: 'Where a value comes from; with Ctrl too', group },
  { keys: 'Escape', does: 'Select nothing', group },
];

const FILTERING: readonly KeyBinding[] = [...KEYS, { keys: 'f', does: 'Filter by the value that has the keyboard', group }];

/** Lists the keys of a grid for as long as it is on the screen; tells whether its single letters hold. */
export function useGridKeys(filters = true): boolean {
  useKeys(filters ? FILTERING : KEYS);
  return useSingleKeys();
}
