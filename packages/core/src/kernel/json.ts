import type { Json } from './shape.js';

/** Parses a JSON object; returns null for any other text. The only code of the core that catches, because `JSON.parse` throws. */
export function parseJsonObject(text: string): Readonly<Record<string, Json>> | null {
  try {
    const json: Json = JSON.parse(text);
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
    // `Array.isArray` does not exclude readonly arrays from a type.
    return json as Readonly<Record<string, Json>>;
  } catch {
    return null;
  }
}
