import { type Context, use } from 'react';

/** Returns the value of a context; throws outside its provider. */
export function useRequiredContext<T>(context: Context<T | null>, name: string): T {
  const value = use(context);
  if (value === null) throw new Error(`No ${name} provider.`);
  return value;
}
