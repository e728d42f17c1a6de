/** A set of listeners to changes. */
export interface Listeners {
  readonly notify: () => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/**
 * Creates a set of listeners. `open` starts their source with the first listener and returns a function that stops it
 * after the last.
 */
export function createListeners(open?: () => () => void): Listeners {
  const listeners = new Set<() => void>();
  let close: (() => void) | undefined;
  return {
    notify: () => {
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

/** Returns an `open` that listens to an event of the window. */
export function onWindowEvent<Name extends keyof WindowEventMap>(
  frame: Pick<Window, 'addEventListener' | 'removeEventListener'>,
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
) {
  return (): (() => void) => {
    frame.addEventListener(name, listener);
    return () => {
      frame.removeEventListener(name, listener);
    };
  };
}
