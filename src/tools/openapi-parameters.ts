import type { Parameter } from '#contract/exchange/endpoints.ts';
import type { Shape } from '#contract/exchange/schema.ts';

export interface DocumentParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Shape;
  readonly example: string | readonly string[];
  readonly style?: 'form';
  readonly explode?: true;
}

interface ParametersOf {
  readonly pathParameters: Readonly<Record<string, Parameter>>;
  readonly query: Readonly<Record<string, Parameter>>;
}

/** Lists path parameters first, then those of the query in the order of the table. */
export function toParameters(endpoint: ParametersOf): DocumentParameter[] {
  return [
    ...Object.entries(endpoint.pathParameters).map(([name, parameter]) => toParameter('path', name, parameter)),
    ...Object.entries(endpoint.query).map(([name, parameter]) => toParameter('query', name, parameter)),
  ];
}

function toParameter(place: 'path' | 'query', name: string, parameter: Parameter): DocumentParameter {
  const { grammar, description, repeatable } = parameter;
  const common = {
    name,
    in: place,
    required: place === 'path',
    description: `${description} Must be ${grammar.sentence}.`,
  } as const;
  if (!repeatable) return { ...common, schema: grammar.shape, example: grammar.example };
  const schema: Shape = { type: 'array', items: grammar.shape };
  return { ...common, schema, example: [grammar.example], style: 'form', explode: true };
}
