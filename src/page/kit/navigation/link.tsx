import { useSyncExternalStore } from 'react';
import type { ComponentProps, MouseEvent } from 'react';
import { useNavigator } from './navigation.tsx';
import { isPlainClick } from './plain-click.ts';

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  readonly to: string;
}

/** A real link: only a plain click is handled here, so that opening in a new tab and copying work. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const navigator = useNavigator();
  // Subscribes to its own href only, so that a change of a filter does not render all links again.
  const href = useSyncExternalStore(navigator.subscribe, () => navigator.hrefOf(to));
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    if (event.defaultPrevented || !isPlainClick(event)) return;
    event.preventDefault();
    navigator.go(to);
  };
  return <a {...rest} href={href} onClick={follow} />;
}
