import { problems } from '../../problem.js';
import { TOKEN } from '../../route-parts.js';

export interface RegistryPlace {
  readonly prefix: '' | '/v0/scan-proxy';
  readonly suffix: string;
  readonly tag: string;
}

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
