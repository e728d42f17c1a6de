import { useSyncExternalStore } from 'react';
import type { ComponentProps, MouseEvent } from 'react';
import { useNavigator } from './navigation.tsx';

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  readonly to: string;
}

/** Stays a link for everything that is not a plain click: new tabs, copying, saving. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const navigator = useNavigator();
  // Of the address only this: a list of links is not drawn again with each change of a filter.
  const href = useSyncExternalStore(navigator.subscribe, () => navigator.hrefOf(to));
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    if (event.defaultPrevented || !isPlainClick(event)) return;
    event.preventDefault();
    navigator.go(to);
  };
  return <a {...rest} href={href} onClick={follow} />;
}

export function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>): boolean {
  return button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);
}
