import { z } from 'zod';

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

export function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  // The library returns a JSON Schema, whose other keywords are not needed here.
  const root = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
  let found: readonly JsonSchema[] = variantsOf(root, root);
  for (const key of path)
    found = found.flatMap(({ properties, items, additionalProperties }) => {
      const next = typeof key === 'number' ? items : (properties?.[String(key)] ?? additionalProperties);
      return typeof next === 'object' ? variantsOf(next, root) : [];
    });
  return [...new Set(found.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

function variantsOf(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const { $ref, anyOf = [], allOf = [], oneOf = [] } = schema;
  const referred = $ref === undefined ? undefined : root.$defs?.[$ref.split('/').at(-1) ?? ''];
  const others = [...anyOf, ...allOf, ...oneOf, ...(referred ? [referred] : [])];
  return [schema, ...others.flatMap((other) => variantsOf(other, root))];
}
