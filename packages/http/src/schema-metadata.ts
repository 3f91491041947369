import { zodToOpenAPIRegistry } from '@asteasolutions/zod-to-openapi';

/**
 * The registry of the library is a map for the whole process: it would hold the schemas of every closed server, and through their
 * checks the server and its ledger.
 */
export function releaseUnusedSchemas(): void {
  const registry = zodToOpenAPIRegistry;
  // The library declares a WeakMap.
  const known: unknown = registry._map;
  if (known instanceof Map) registry._map = new WeakMap(known);
}
