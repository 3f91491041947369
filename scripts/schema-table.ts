/* Formats tables of Markdown, and the fields of a JSON schema as a list. */

export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
}

/**
 * Returns one item per field of a schema, by path; `[]` means each entry of a list.
 * @param gap receives a message for each field without a description
 * @param explained descriptions of parts that other sections explain: one item, without their fields
 */
export function fieldsList(
  schema: Schema,
  gap: (path: string) => void,
  explained: ReadonlySet<string> = new Set(),
): string {
  const items: string[] = [];
  const add = (path: string, given: Schema, isRequired: boolean): void => {
    // A nullable part is shown as its other type.
    const part = { ...given.anyOf?.find(({ properties }) => properties), ...given };
    const { items: entries, properties, oneOf } = part;
    if (part.description && explained.has(part.description)) addItem(path, part, isRequired);
    else if (oneOf) for (const variant of oneOf) addAll(path, variant, variant.properties ?? {});
    else if (properties) addAll(path, part, properties);
    else if (entries?.properties) {
      addItem(path, part, isRequired);
      addAll(`${path}[]`, entries, entries.properties);
    } else addItem(path, part, isRequired);
  };
  const addAll = (path: string, { required = [] }: Schema, properties: { readonly [name: string]: Schema }): void => {
    for (const [name, part] of Object.entries(properties))
      add(path === '' ? name : `${path}.${name}`, part, required.includes(name));
  };
  const addItem = (path: string, part: Schema, isRequired: boolean): void => {
    const isTag = part.const !== undefined;
    if (!part.description) gap(path);
    const byDefault =
      part.default === undefined ? (isRequired ? ', required' : '') : `, default ${jsonOf(part.default)}`;
    const item = `- \`${path}\` (${valuesOf(part)}${isTag ? '' : byDefault}): ${part.description ?? ''}`;
    items.push(wrappedItem(item));
  };
  add('', schema, false);
  return items.join('\n');
}

/** Breaks an item of a list into lines of at most 160 characters. */
export function wrappedItem(item: string): string {
  return item.length > 160 ? item.replaceAll(/(.{120,158}) /g, '$1\n  ') : item;
}

function valuesOf({ type, const: only, enum: words, anyOf, items }: Schema): string {
  if (only !== undefined) return jsonOf(only);
  if (type === 'object') return 'object';
  if (words) return words.map(jsonOf).join(', ');
  if (anyOf) return anyOf.map(valuesOf).join(', ');
  if (type === 'array') return `list of ${items?.type === 'object' ? 'objects' : 'texts'}`;
  return { string: 'text', integer: 'whole number', number: 'number', boolean: 'true or false' }[type ?? ''] ?? '';
}

function jsonOf(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

export function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

export function tableOf(heads: readonly string[], rows: readonly string[]): string {
  return [rowOf(heads), rowOf(heads.map(() => '---')), ...rows].join('\n');
}
