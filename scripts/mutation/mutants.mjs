/*
 * Lists the mutants of a TypeScript file: one small change each, in an expression or a statement. Types, texts and
 * imports stay.
 */
import ts from 'typescript-api';

const K = ts.SyntaxKind;
const OPERATORS = new Map([
  [K.EqualsEqualsEqualsToken, ['!==']],
  [K.ExclamationEqualsEqualsToken, ['===']],
  [K.LessThanToken, ['<=', '>=']],
  [K.LessThanEqualsToken, ['<', '>']],
  [K.GreaterThanToken, ['>=', '<=']],
  [K.GreaterThanEqualsToken, ['>', '<']],
  [K.AmpersandAmpersandToken, ['||']],
  [K.BarBarToken, ['&&']],
  [K.QuestionQuestionToken, ['&&']],
  [K.PlusToken, ['-']],
  [K.MinusToken, ['+']],
  [K.AsteriskToken, ['/']],
  [K.SlashToken, ['*']],
  [K.PlusEqualsToken, ['-=']],
  [K.MinusEqualsToken, ['+=']],
]);
const METHODS = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
]);

/**
 * @param {string} file name to report
 * @param {string} text the source
 * @returns mutants in source order: `{ file, line, lineText, from, to, replacement, was, kind, around, changed }`; `around` is
 * the expression, block, statement or member name to put behind a switch; `changed` its text with another operator
 */
export function mutantsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const mutants = [];
  const add = (node, replacement, kind = 'expression', whole = node, changed = null) => {
    const [from, to] = [node.getStart(source), node.end];
    // Coverage has no entry for the first line of a method's block.
    const inside = ts.isBlock(node) ? node.statements[0].getStart(source) : from;
    const line = source.getLineAndCharacterOfPosition(inside).line + 1;
    const around = { from: whole.getStart(source), to: whole.end };
    const lineText = lines[line - 1].trim();
    mutants.push({ file, line, lineText, from, to, replacement, was: text.slice(from, to), kind, around, changed });
  };
  const visitCondition = (node) => {
    add(node, 'true');
    add(node, 'false');
  };
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isTypeAliasDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const { operatorToken: operator } = node;
      const isText = [node.left, node.right].some(
        (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
      );
      const isSum = operator.kind === K.PlusToken || operator.kind === K.PlusEqualsToken;
      if (!(isSum && isText))
        for (const other of OPERATORS.get(operator.kind) ?? [])
          // `a ?? b ?? c` with one other operator needs parentheses.
          add(
            operator,
            other,
            'expression',
            node,
            `(${node.left.getText(source)}) ${other} (${node.right.getText(source)})`,
          );
    }
    if (ts.isIfStatement(node)) visitCondition(node.expression);
    if (ts.isConditionalExpression(node)) visitCondition(node.condition);
    if (ts.isWhileStatement(node)) add(node.expression, 'false');
    if (ts.isForStatement(node) && node.condition) add(node.condition, 'false');
    if (node.kind === K.TrueKeyword) add(node, 'false');
    if (node.kind === K.FalseKeyword) add(node, 'true');
    if (ts.isPrefixUnaryExpression(node)) {
      if (node.operator === K.ExclamationToken) add(node, text.slice(node.operand.getStart(source), node.end));
      if (node.operator === K.MinusToken) add(node, `+${text.slice(node.operand.getStart(source), node.end)}`);
      if (node.operator === K.PlusPlusToken) add(node, `--${text.slice(node.operand.getStart(source), node.end)}`);
    }
    if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isTarget(node)) add(node, '[]');
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body) && node.body.getText(source) !== 'undefined')
      add(node.body, '(undefined as never)');
    if (ts.isBlock(node) && node.statements.length > 0) add(node, '{}', 'block');
    // A call for its effect, such as the sync of a file.
    if (ts.isExpressionStatement(node)) add(node, ';', 'statement');
    if (ts.isPropertyAccessExpression(node) && METHODS.has(node.name.text))
      add(node.name, METHODS.get(node.name.text), 'member');
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return mutants.filter(({ was, replacement }) => was !== replacement);
}

/** Whether an array literal is the target of an assignment: `[a, b] = [b, a]`. */
function isTarget({ parent, pos }) {
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind === K.EqualsToken && parent.left.pos === pos;
}
