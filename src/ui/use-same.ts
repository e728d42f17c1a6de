import { replaceEqualDeep } from '@tanstack/react-query';
import { useState } from 'react';

/** The value, its parts the same objects for as long as they say the same: so their identity tells a change. */
export function useSame<Value>(next: Value): Value {
  const [keep] = useState(createKeeper<Value>);
  return keep(next);
}

function createKeeper<Value>(): (next: Value) => Value {
  let last: Value | undefined;
  return (next) => {
    last = replaceEqualDeep(last, next);
    return last;
  };
}
