import { fileURLToPath } from 'node:url';
import ts from 'typescript-api';

export const root: string = fileURLToPath(new URL('../', import.meta.url));

const folder = `${root}packages/core/src/`;

export interface WorkflowSource {
  readonly name: string;
  /** Path from the root of the repository. */
  readonly path: string;
  readonly about: string;
}

export interface TemplateSource extends Declared {
  readonly path: string;
  readonly signatories: string;
  readonly observers: string;
  readonly dueAt: string;
  readonly keys: string;
}

export interface Declared {
  readonly about: string;
  readonly type: ts.Type;
}

export interface RejectionSource {
  readonly code: string;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
}

/** An entry of a register: a value, or the function that makes it. */
type Maker = ts.VariableDeclaration | ts.FunctionDeclaration;

/** Reads the source of the core for the reference pages, which quote docstrings, type names and functions. */
export class CoreSource {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;

  constructor() {
    this.#program = ts.createProgram({
      rootNames: [`${folder}index.ts`],
      options: {
        target: ts.ScriptTarget.ES2023,
        lib: ['lib.es2023.d.ts'],
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        customConditions: ['source'],
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
      },
    });
    this.#checker = this.#program.getTypeChecker();
  }

  /** In the order of `register/workflows.ts`. */
  workflows(): readonly WorkflowSource[] {
    return this.#listed('register/workflows.ts').map(({ name, declaration }) => {
      const [commands] = typeArgumentsOf(declaration);
      return { name, path: pathOf(declaration), about: commands ? this.#aboutNode(commands) : '' };
    });
  }

  commands(): ReadonlyMap<string, Declared> {
    const alias = this.#statement('register/register.ts', 'Command');
    return this.#commandsOf(this.#checker.getTypeAtLocation(alias));
  }

  details(): ReadonlyMap<string, Declared> {
    return new Map(
      this.#listed('register/workflows.ts').flatMap(({ declaration }) => {
        const details = typeArgumentsOf(declaration)[1];
        return details ? [...this.propertiesOf(this.#checker.getTypeFromTypeNode(details))] : [];
      }),
    );
  }

  templates(): ReadonlyMap<string, TemplateSource> {
    return new Map(
      this.#listed('contracts/templates.ts').map(({ name, declaration }) => {
        const [contract] = typeArgumentsOf(declaration);
        if (!contract) throw new Error(`${name} is not declared as Template<…>`);
        const type = this.#checker.getTypeFromTypeNode(contract);
        return [
          name,
          {
            path: pathOf(declaration),
            type,
            about: this.#aboutNode(contract),
            signatories: this.#answerOf(declaration, 'signatories'),
            observers: this.#answerOf(declaration, 'observers'),
            dueAt: this.#answerOf(declaration, 'dueAt'),
            keys: this.#answerOf(declaration, 'keys'),
          },
        ];
      }),
    );
  }

  /** In the order of their union. */
  rejections(): readonly RejectionSource[] {
    const alias = this.#statement('kernel/rejection.ts', 'Rejection');
    if (!ts.isTypeAliasDeclaration(alias) || !ts.isUnionTypeNode(alias.type))
      throw new Error('Rejection is not declared as a union');
    return alias.type.types.map((variant) => {
      const fields = (ts.isTypeLiteralNode(variant) ? variant.members : []).flatMap((member) =>
        ts.isPropertySignature(member) && member.type
          ? [{ name: member.name.getText(), type: member.type.getText() }]
          : [],
      );
      const code = fields.find(({ name }) => name === 'code')?.type.replaceAll("'", '') ?? '';
      return { code, fields: fields.filter(({ name }) => name !== 'code') };
    });
  }

  /** In the order of their declaration. */
  propertiesOf(type: ts.Type): ReadonlyMap<string, Declared> {
    return new Map(type.getProperties().map((property) => [property.name, this.#declared(property)]));
  }

  /** The type without null, undefined, lists and maps. */
  innerOf(type: ts.Type): ts.Type {
    const present = this.#checker.getNonNullableType(type);
    return (
      this.#checker.getIndexTypeOfType(present, ts.IndexKind.Number) ??
      this.#checker.getIndexTypeOfType(present, ts.IndexKind.String) ??
      present
    );
  }

  nameOf(type: ts.Type): { readonly name: string; readonly about: string } | null {
    const symbol = type.aliasSymbol ?? type.symbol;
    if (!symbol || symbol.name.startsWith('__')) return null;
    return { name: symbol.name, about: this.#aboutSymbol(symbol) };
  }

  #declared(property: ts.Symbol): Declared {
    const type = this.#checker.getTypeOfSymbol(property);
    return { type, about: this.#aboutSymbol(property) };
  }

  #listed(file: string): { name: string; declaration: ts.VariableDeclaration }[] {
    const source = this.#program.getSourceFile(`${folder}${file}`);
    const module = source && this.#checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} is no module`);
    return this.#checker.getExportsOfModule(module).map((symbol) => {
      const declaration = this.#origin(symbol).valueDeclaration;
      if (!declaration || !ts.isVariableDeclaration(declaration))
        throw new Error(`${file}: ${symbol.name} is no variable`);
      return { name: symbol.name, declaration };
    });
  }

  #commandsOf(type: ts.Type): ReadonlyMap<string, Declared> {
    const commands = new Map<string, Declared>();
    for (const command of type.isUnion() ? type.types : [type]) {
      const tag = command.getProperty('type');
      const tags = tag ? this.#checker.getTypeOfSymbol(tag) : command;
      for (const literal of tags.isUnion() ? tags.types : [tags]) {
        if (literal.isStringLiteral())
          commands.set(literal.value, { type: command, about: this.#aboutSymbol(command.symbol) });
      }
    }
    return commands;
  }

  /** The result of a template's function as source text, with the contract's field names. */
  #answerOf(template: Maker, name: string): string {
    if (!ts.isVariableDeclaration(template)) return '';
    const property = literalIn(template).properties.find((candidate) => candidate.name?.getText() === name);
    if (!property) return '';
    if (ts.isMethodDeclaration(property)) return property.body?.getText() ?? '';
    if (!ts.isPropertyAssignment(property)) return '';
    let answer: ts.Expression = property.initializer;
    if (ts.isIdentifier(answer)) {
      const symbol = this.#checker.getSymbolAtLocation(answer);
      const declaration = symbol && this.#origin(symbol).valueDeclaration;
      if (!declaration || !ts.isVariableDeclaration(declaration) || !declaration.initializer) return answer.text;
      answer = declaration.initializer;
    }
    return ts.isArrowFunction(answer) ? bodyOf(answer) : answer.getText();
  }

  #statement(file: string, name: string): ts.Declaration {
    const source = this.#program.getSourceFile(`${folder}${file}`);
    const door = source && this.#checker.getSymbolAtLocation(source);
    const found = door && this.#checker.getExportsOfModule(door).find((exported) => exported.name === name);
    const declaration = found?.declarations?.[0];
    if (!declaration) throw new Error(`${file} exports no ${name}`);
    return declaration;
  }

  #aboutNode(node: ts.TypeNode): string {
    const symbol = ts.isTypeReferenceNode(node) ? this.#checker.getSymbolAtLocation(node.typeName) : undefined;
    return symbol ? this.#aboutSymbol(this.#origin(symbol)) : '';
  }

  #aboutSymbol(symbol: ts.Symbol): string {
    return ts.displayPartsToString(symbol.getDocumentationComment(this.#checker));
  }

  #origin(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }
}

function typeArgumentsOf({ type }: Maker): readonly ts.TypeNode[] {
  return type && ts.isTypeReferenceNode(type) ? (type.typeArguments ?? []) : [];
}

function literalIn(declaration: ts.VariableDeclaration): ts.ObjectLiteralExpression {
  let value = declaration.initializer;
  while (value && (ts.isAsExpression(value) || ts.isSatisfiesExpression(value))) value = value.expression;
  if (!value || !ts.isObjectLiteralExpression(value)) throw new Error(`${declaration.name.getText()} is not an object`);
  return value;
}

function pathOf(declaration: ts.Declaration): string {
  return declaration.getSourceFile().fileName.slice(root.length);
}

/** The body of an arrow function on one line; renamed parameters get their field names back. */
function bodyOf(arrow: ts.ArrowFunction): string {
  const own = new Map<string, string>();
  for (const { name } of arrow.parameters) {
    for (const element of ts.isObjectBindingPattern(name) ? name.elements : []) {
      if (element.propertyName) own.set(element.name.getText(), element.propertyName.getText());
    }
  }
  const renamed: { start: number; end: number; name: string }[] = [];
  const visit = (node: ts.Node): void => {
    const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
    const name = ts.isIdentifier(node) && !isMember ? own.get(node.text) : undefined;
    if (name !== undefined) renamed.push({ start: node.getStart(), end: node.getEnd(), name });
    ts.forEachChild(node, visit);
  };
  const body = ts.isParenthesizedExpression(arrow.body) ? arrow.body.expression : arrow.body;
  visit(body);
  let text = body.getText();
  for (const { start, end, name } of renamed.reverse())
    text = text.slice(0, start - body.getStart()) + name + text.slice(end - body.getStart());
  return text.replaceAll(/\s+/g, ' ');
}
