// Finds words in the texts of the sources that are not used in the field.
import ts from 'typescript';

/** Words that are not used on screens in the field, and verbs for what only a person does. */
const DIALECT = /\b(tell|tells|told|teller|hear|heard|asked|asks|of\s+late|somebody|nobody|complain\w*|believed)\b/i;

/** Words of a private dialect in comments, which a colleague would not write. */
const COMMENT_DIALECT = /\b(tells?|told|hears?|heard|asked|of\s+late|somebody|whoever|be\s+it|by\s+now|by\s+then)\b/i;
const COMMENT = /(?:^|\s)(?:\/\/|\/\*\*?|\*)\s.*$/;

export interface FoundText {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/**
 * Finds the string literals, parts of templates and JSX texts of a file that contain such a word. Names that are never
 * read are left out.
 */
export function findDialect(file: string, code: string): readonly FoundText[] {
  // Most files do not contain such a word, even in a comment, and need not be parsed.
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

/** Finds the lines of comments that contain such a word. */
export function findDialectInComments(file: string, code: string): readonly FoundText[] {
  if (!COMMENT_DIALECT.test(code)) return [];
  return code.split('\n').flatMap((line, at) => {
    const text = COMMENT.exec(line)?.[0].trim() ?? '';
    return COMMENT_DIALECT.test(text) ? [{ file, line: at + 1, text }] : [];
  });
}

/** Returns the line of the word, because a text can begin lines above it. */
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

/** Whether a literal is an import path, a type, a key or the name of a class. */
function isName(node: ts.Node): boolean {
  if (ts.isLiteralTypeNode(node)) return true;
  if (ts.isJsxAttribute(node)) return node.name.getText() === 'className';
  if (!ts.isStringLiteralLike(node)) return false;
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isElementAccessExpression(parent))
    return true;
  return (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === node;
}
