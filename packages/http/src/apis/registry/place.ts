import { problems } from '../../problem.js';
import { TOKEN } from '../../route-parts.js';

/** Where the registry is served: at the root for everybody, and by the validator for those with a token. */
export interface RegistryPlace {
  readonly prefix: '' | '/v0/scan-proxy';
  /** Ends the ids of its operations. */
  readonly suffix: string;
  readonly tag: string;
}

/** Both places. Source: specification of the API §0.3. */
export const REGISTRY_PLACES: readonly RegistryPlace[] = [
  { prefix: '', suffix: '', tag: 'registry' },
  { prefix: '/v0/scan-proxy', suffix: 'Proxied', tag: 'scan proxy' },
];

/** The part of a route's declaration that says who may call. */
export function accessTo({ prefix, tag }: RegistryPlace): { tags: string[]; security: typeof TOKEN } {
  return { tags: [tag], security: prefix === '' ? [] : TOKEN };
}

/** How callers without a token are refused where one is needed. */
export function refusalsAt({ prefix }: RegistryPlace): Partial<ReturnType<typeof problems<401>>> {
  return prefix === '' ? {} : problems(401);
}
