import { relative } from 'node:path';

interface Node {
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly unknown[];
}

/** The part of the linter's interface that these rules use. */
interface Context {
  readonly cwd: string;
  readonly filename: string;
  readonly sourceCode: { readonly getAllComments: () => readonly { readonly value: string; readonly loc: unknown }[] };
  readonly report: (problem: { readonly message: string; readonly node?: Node; readonly loc?: unknown }) => void;
}

type Rule = (context: Context) => Readonly<Record<string, (node: Node) => void>>;

const KEBAB_CASE = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/;

const kebabCaseFiles: Rule = ({ cwd, filename, report }) => ({
  Program: (node) => {
    const odd = relative(cwd, filename)
      .split('/')
      .find((part) => !KEBAB_CASE.test(part));
    if (odd !== undefined) report({ node, message: `"${odd}" is not kebab-case.` });
  },
});

const describedDisables: Rule = ({ sourceCode, report }) => ({
  Program: () => {
    for (const { value, loc } of sourceCode.getAllComments()) {
      const isBare = /^\s*(eslint|oxlint)-(disable|enable)/.test(value) && !/\s-{2,}\s+\S{3}/.test(value);
      if (isBare) report({ loc, message: 'Say why the rule does not hold here: "-- reason".' });
    }
  },
});

const noClock: Rule = ({ report }) => {
  const reportDate = (node: Node): void => {
    if (node.callee?.name === 'Date')
      report({ node, message: 'Logic takes its clock as an argument, so that tests own the time.' });
  };
  return {
    CallExpression: reportDate,
    NewExpression: (node) => {
      if (node.arguments?.length === 0) reportDate(node);
    },
  };
};

/** The rules. A plugin for any one of them would bring many more. */
export default {
  meta: { name: 'house' },
  rules: {
    'kebab-case-files': { create: kebabCaseFiles },
    'described-disables': { create: describedDisables },
    'no-clock': { create: noClock },
  },
};
