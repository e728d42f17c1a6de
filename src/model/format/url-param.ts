/** One part of a screen's state in the address. An invalid value counts as the default. */
export interface UrlParam<T> {
  readonly read: (query: URLSearchParams) => T;
  /** Writes the value into the given query. The default is omitted, to keep addresses short. */
  readonly write: (query: URLSearchParams, value: T) => void;
}

export function choiceParam<const Choice extends string>(
  name: string,
  choices: readonly Choice[],
  defaultChoice: NoInfer<Choice>,
): UrlParam<Choice> {
  return {
    read: (query) => choices.find((choice) => choice === query.get(name)) ?? defaultChoice,
    write: (query, value) => {
      put(query, name, value === defaultChoice ? '' : value);
    },
  };
}

export function textParam(name: string): UrlParam<string> {
  return {
    read: (query) => query.get(name) ?? '',
    write: (query, value) => {
      put(query, name, value);
    },
  };
}

/** Reads and writes several words, separated by commas. */
export function wordsParam(name: string): UrlParam<readonly string[]> {
  return {
    read: (query) => (query.get(name) ?? '').split(',').filter((word) => word !== ''),
    write: (query, words) => {
      put(query, name, words.join());
    },
  };
}

function put(query: URLSearchParams, name: string, value: string): void {
  if (value === '') query.delete(name);
  else query.set(name, value);
}
