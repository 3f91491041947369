import { problems } from '../../problem.js';
import { TOKEN } from '../../route-parts.js';

/** The registry is served at the root without a token, and by the validator with a token. */
export interface RegistryPlace {
  readonly prefix: '' | '/v0/scan-proxy';
  readonly suffix: string;
  readonly tag: string;
}

/** Source: specification of the API §0.3. */
export const REGISTRY_PLACES: readonly RegistryPlace[] = [
  { prefix: '', suffix: '', tag: 'registry' },
  { prefix: '/v0/scan-proxy', suffix: 'Proxied', tag: 'scan proxy' },
];

export function accessTo({ prefix, tag }: RegistryPlace): { tags: string[]; security: typeof TOKEN } {
  return { tags: [tag], security: prefix === '' ? [] : TOKEN };
}

export function refusalsAt({ prefix }: RegistryPlace): Partial<ReturnType<typeof problems<401>>> {
  return prefix === '' ? {} : problems(401);
}
