import type { Json } from './shape/form.js';

/** A JSON object as `JSON.parse` gives it. */
export type JsonObject = Readonly<Record<string, Json>>;

/** Parses a JSON object; returns null for any other text. The only code of the core that catches, because `JSON.parse` throws. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const json: Json = JSON.parse(text);
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
    // `Array.isArray` does not exclude readonly arrays from a type.
    return json as JsonObject;
  } catch {
    return null;
  }
}
