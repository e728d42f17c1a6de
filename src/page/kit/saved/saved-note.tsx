import { useAnnounced } from '../live-region.tsx';
import { useSavedState } from './use-saved-state.ts';

interface SavedNoteProps {
  /** What it is about, as the storage names it. */
  readonly name: string;
  readonly className?: string | undefined;
}

/** Says whether what is saved here is in one’s other browsers too. Whoever shows it draws it anew with each change. */
export function SavedNote({ name, className }: SavedNoteProps) {
  const state = useSavedState(name);
  const problem = state.is === 'here only' ? `Saved in this browser only. ${state.problem}` : null;
  useAnnounced(problem);
  return (
    <p className={className}>
      {problem ?? (state.is === 'everywhere' ? 'Saved in Perpdesk: the same in all of your browsers.' : 'Saving…')}
    </p>
  );
}
