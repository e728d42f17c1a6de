// Forbids comparing order IDs and timestamps with `<` or `>`, because their string order is not their real order.
import { relative } from 'node:path';
import ts from 'typescript';

/**
 * The functions to compare them with instead. The compiler accepts a comparison of any two texts, although "9" < "10"
 * is false and an instant with fewer digits is not the later one.
 */
const orderedBy = new Map([
  ['OrderId', 'compareOrderIds'],
  ['AckId', 'compareOrderIds'],
  ['Instant', 'compareInstants'],
]);
const comparisons: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);

const { fileNames, options } = readProject('tsconfig.json');
const program = ts.createProgram(fileNames, options);
const checker = program.getTypeChecker();

function readProject(path: string): ts.ParsedCommandLine {
  const fail = ({ messageText }: ts.Diagnostic): never => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  };
  const project = ts.getParsedCommandLineOfConfigFile(
    path,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  );
  if (project === undefined) throw new Error(`${path} cannot be read.`);
  return project;
}

function check(file: ts.SourceFile): readonly string[] {
  const problems: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && comparisons.has(node.operatorToken.kind)) {
      for (const operand of [node.left, node.right]) {
        const name = checker.getTypeAtLocation(operand).aliasSymbol?.name;
        const compare = orderedBy.get(name ?? '');
        if (compare !== undefined)
          problems.push(
            `${relative('.', file.fileName)}:${String(file.getLineAndCharacterOfPosition(operand.getStart()).line + 1)}: ` +
              `${name ?? ''} must be compared by ${compare}, not as a text.`,
          );
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return problems;
}

// The files *.test-d.ts contain what must not compile or must not pass here.
const checked = program
  .getSourceFiles()
  .filter(({ fileName }) => !fileName.includes('/node_modules/') && !fileName.endsWith('.test-d.ts'));
const problems = checked.flatMap(check);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
