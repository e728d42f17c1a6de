// Finds words in the texts of the sources that the field does not use.
import ts from 'typescript';

/** Words that nobody in the field uses on a screen, and what only a person does. */
const DIALECT = /\b(tell|tells|told|teller|hear|heard|asked|asks|of\s+late|somebody|nobody|complain\w*|believed)\b/i;

export interface FoundText {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** The string literals, parts of templates and JSX texts of a file that contain such a word. Names that no one reads are left out. */
export function findDialect(file: string, code: string): readonly FoundText[] {
  // Most files have no such word, not even in a comment, and need not be parsed.
  if (!DIALECT.test(code)) return [];
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const found: FoundText[] = [];
  const visit = (node: ts.Node): void => {
    if (isName(node)) return;
    if (isText(node) && DIALECT.test(node.text)) {
      found.push({ file, line: lineOf(source, node), text: node.text.replaceAll(/\s+/g, ' ').trim() });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Of the word, since a text can begin lines above it. */
function lineOf(source: ts.SourceFile, node: ts.Node): number {
  const start = node.getStart(source);
  const at = source.text.slice(start, node.getEnd()).search(DIALECT);
  return source.getLineAndCharacterOfPosition(start + Math.max(at, 0)).line + 1;
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isJsxText(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node)
  );
}

/** Import paths, types, keys and names of classes. */
function isName(node: ts.Node): boolean {
  if (ts.isLiteralTypeNode(node)) return true;
  if (ts.isJsxAttribute(node)) return node.name.getText() === 'className';
  if (!ts.isStringLiteralLike(node)) return false;
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isElementAccessExpression(parent))
    return true;
  return (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === node;
}
