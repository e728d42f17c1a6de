/** Whoever wants to hear of changes. */
export interface Listeners {
  readonly tell: () => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** What is heard of elsewhere is listened to only while anybody is there to be told: `open` begins, what it returns ends. */
export function createListeners(open?: () => () => void): Listeners {
  const listeners = new Set<() => void>();
  let close: (() => void) | undefined;
  return {
    tell: () => {
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      if (listeners.size === 0) close = open?.();
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) close?.();
      };
    },
  };
}

/** For `open`: an event of the window. */
export function hear<Name extends keyof WindowEventMap>(frame: Pick<Window, 'addEventListener' | 'removeEventListener'>, name: Name, listener: (event: WindowEventMap[Name]) => void) {
  return (): (() => void) => {
    frame.addEventListener(name, listener);
    return () => {
      frame.removeEventListener(name, listener);
    };
  };
}
