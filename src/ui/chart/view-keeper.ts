import { wholeOf, type ViewWindow } from './view-window.ts';

/** Keeps a picture whole while bars are added to it, until the reader looks at a part of it. */
export interface ViewKeeper {
  /** The picture of this subject has so many bars by now: one of another subject is seen whole. */
  readonly follow: (subject: string, count: number) => void;
  /** What keys choose to see, of so many bars. */
  readonly show: (view: ViewWindow, count: number) => void;
  /** The reader's own hand moves the view. */
  readonly letGo: () => void;
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
    letGo: () => {
      isWhole = false;
    },
  };
}
