import type { KeyBinding } from '../keyboard.ts';

const group = 'Grid';

/** The keys of a grid, only for the list of shortcuts, because the grid handles them itself. */
export const KEYS: readonly KeyBinding[] = [
  { keys: '← → ↑ ↓', label: 'Move to the next cell; with Shift, select cells', group },
  { keys: 'Home End', label: 'Start or end of the row; with Ctrl, of the list', group },
  { keys: 'PageUp PageDown', label: 'One page up or down', group },
  {
    keys: 'Space',
    label: 'Select the row, or press the cell’s button; with Shift, select all rows from the last selected one',
    group,
  },
  { keys: 'Enter', label: 'Open the row or the cell’s link; on a header, sort (Shift adds a level)', group },
  { keys: 'Alt+← Alt+→', label: 'Make the column narrower or wider', group },
  { keys: 'Shift+← Shift+→', label: 'On a header: move the column', group },
  { keys: 'Shift+F10', label: 'Open the column menu', group },
  { keys: 'Mod+c', label: 'Copy the selection for a spreadsheet', group },
  { keys: 'Mod+a', label: 'Select all', group },
  { keys: 'i', label: 'Show where a figure comes from (also a click, or Ctrl+I)', group },
  { keys: 'Escape', label: 'Clear the selection', group },
];

export const FILTERING: readonly KeyBinding[] = [
  ...KEYS,
  { keys: 'f', label: 'Filter by the value of this cell', group },
];
