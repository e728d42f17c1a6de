import { lazy, Suspense } from 'react';
import type { ComponentProps } from 'react';
import type { Dialog } from './dialog.tsx';

const Loaded = lazy(async () => ({ default: (await import('./dialog.tsx')).Dialog }));

/** A dialog whose code comes when it is first opened: holding the keyboard in a window weighs more than a screen does. */
export function LaterDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}
