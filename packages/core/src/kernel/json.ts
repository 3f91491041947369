import type { Json } from './shape.js';

/**
 * A JSON object from text, or null when the text is none. `JSON.parse` can only say no by throwing, so this is the one place
 * of the core that catches.
 */
export function parseJsonObject(text: string): Readonly<Record<string, Json>> | null {
  try {
    const json = JSON.parse(text) as Json;
    return typeof json === 'object' && json !== null && !Array.isArray(json)
      ? (json as Readonly<Record<string, Json>>)
      : null;
  } catch {
    return null;
  }
}
