import { use } from 'react';
import type { Context } from 'react';

/** What a provider above hands out: who stands outside of it is to hear so at once, by its name. */
export function useProvided<T>(context: Context<T | null>, name: string): T {
  const provided = use(context);
  if (provided === null) throw new Error(`Nothing above provides the ${name}.`);
  return provided;
}
