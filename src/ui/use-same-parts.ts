import { useState } from 'react';
import { createPartsKeeper } from './parts-keeper.ts';

/** The object, the same for as long as each of its parts is: what is deferred or memoized is not to be another with every drawing. */
export function useSameParts<Parts extends object>(next: Parts): Parts {
  const [keep] = useState(createPartsKeeper<Parts>);
  return keep(next);
}
