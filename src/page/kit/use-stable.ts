import { replaceEqualDeep } from '@tanstack/react-query';
import { useState } from 'react';

/** Returns the value with structural sharing: equal parts keep their identity, so that identity signals a change. */
export function useStable<Value>(next: Value): Value {
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

/** Returns the same object while each of its properties is the same, for use in deferred values and dependencies. */
export function useShallowStable<Parts extends object>(next: Parts): Parts {
  const [keep] = useState(createShallowKeeper<Parts>);
  return keep(next);
}

/**
 * Compares properties by identity and copies none, because rows carry digits that a copy would lose.
 *
 * @internal Exported for its test.
 */
export function createShallowKeeper<Parts extends object>(): (next: Parts) => Parts {
  let last: Parts | undefined;
  return (next) => {
    const before = last;
    const isSame =
      before !== undefined &&
      (Object.keys(next) as (keyof Parts)[]).every((name) => Object.is(before[name], next[name]));
    if (isSame) return before;
    last = next;
    return next;
  };
}
