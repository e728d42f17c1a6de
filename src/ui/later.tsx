import { startTransition, useEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';

export interface LaterComponent<Props> {
  (props: Props): ReactNode;
  /** Fetches its code before it is drawn; it is fetched once. */
  readonly fetch: () => Promise<void>;
}

/**
 * A component whose code is fetched when it is first drawn. React's own way to do it holds what has waited, if only for a
 * microtask, back for 300 ms; this one shows it as soon as it is there. What did not come is thrown, for the boundary
 * around it to tell, and asked for again the next time.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>, waiting: ReactNode = null): LaterComponent<Props> {
  let come: ComponentType<Props> | null = null;
  let coming: Promise<void> | null = null;
  const fetch = (): Promise<void> =>
    (coming ??= load().then(
      (component) => {
        come = component;
      },
      (error: unknown) => {
        coming = null;
        throw error;
      },
    ));

  function Later(props: Props) {
    const [, setThere] = useState(come !== null);
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
    useEffect(() => {
      let isShown = true;
      fetch().then(
        () => {
          if (isShown) startTransition(() => {
            setThere(true);
          });
        },
        (error: unknown) => {
          if (isShown) setFailure({ error });
        },
      );
      return () => {
        isShown = false;
      };
    }, []);
    if (failure !== null) throw failure.error;
    const Component = come;
    return Component === null ? waiting : <Component {...props} />;
  }
  return Object.assign(Later, { fetch });
}
