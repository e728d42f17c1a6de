import { use } from 'react';
import type { Context } from 'react';

/** The value of a context; throws outside of its provider. */
export function useRequiredContext<T>(context: Context<T | null>, name: string): T {
  const value = use(context);
  if (value === null) throw new Error(`No ${name} provider.`);
  return value;
}
