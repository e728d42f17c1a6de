import { wholeOf, type ViewWindow } from './view-window.ts';

/** Shows the whole range, or the chosen part of it, while bars are added, until the user zooms or pans. */
export interface ViewKeeper {
  /** Called with each update; another subject is shown in its chosen part, or else whole. */
  readonly follow: (subject: string, count: number, chosen: ViewWindow | null) => void;
  /** Sets the view chosen by keys. */
  readonly show: (view: ViewWindow, count: number) => void;
  /** The user drags the view. */
  readonly release: () => void;
  /** Whether the user has set the view of this subject. */
  readonly isSet: () => boolean;
}

export function createViewKeeper(setView: (view: ViewWindow) => void): ViewKeeper {
  let seen = '';
  let kept: 'whole' | 'chosen' | 'moved' = 'whole';
  let isSet = false;
  return {
    follow: (subject, count, chosen) => {
      if (subject !== seen) {
        kept = chosen === null ? 'whole' : 'chosen';
        isSet = false;
      }
      seen = subject;
      if (kept !== 'moved') setView(kept === 'chosen' && chosen !== null ? chosen : wholeOf(count));
    },
    show: (view, count) => {
      const whole = wholeOf(count);
      kept = view.from === whole.from && view.to === whole.to ? 'whole' : 'moved';
      isSet = true;
      setView(view);
    },
    release: () => {
      kept = 'moved';
      isSet = true;
    },
    isSet: () => isSet,
  };
}
