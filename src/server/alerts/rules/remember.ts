/** Computes anew only where an argument is another one than the last time. */
export function remember<Arguments extends readonly unknown[], Value>(
  compute: (...given: Arguments) => Value,
): (...given: Arguments) => Value {
  let last: { readonly given: Arguments; readonly value: Value } | null = null;
  return (...given) => {
    if (last === null || given.some((argument, index) => argument !== last?.given[index]))
      last = { given, value: compute(...given) };
    return last.value;
  };
}
