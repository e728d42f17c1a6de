import { wholeOf, type ViewWindow } from './view-window.ts';

/** Shows the whole range while bars are added, until the user zooms or pans. */
export interface ViewKeeper {
  /** Called with each update; another subject is shown whole. */
  readonly follow: (subject: string, count: number) => void;
  /** Sets the view chosen by keys. */
  readonly show: (view: ViewWindow, count: number) => void;
  /** The user drags the view. */
  readonly release: () => void;
}

export function createViewKeeper(setView: (view: ViewWindow) => void): ViewKeeper {
  let [isWhole, seen] = [true, ''];
  return {
    follow: (subject, count) => {
      if (subject !== seen) isWhole = true;
      seen = subject;
      if (isWhole) setView(wholeOf(count));
    },
    show: (view, count) => {
      const whole = wholeOf(count);
      isWhole = view.from === whole.from && view.to === whole.to;
      setView(view);
    },
    release: () => {
      isWhole = false;
    },
  };
}
