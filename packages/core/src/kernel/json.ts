import type { Json } from './shape.js';

/**
 * A JSON object from text, or null when the text is none. `JSON.parse` can only say no by throwing, so this is the one place
 * of the core that catches.
 */
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
