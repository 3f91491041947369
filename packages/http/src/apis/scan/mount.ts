import { problems } from '../../problem.js';
import { TOKEN } from '../../route-parts.js';
import type { Api } from '../../request.js';
import type { LedgerView } from '../../history/ledger-view.js';

export interface ScanMount {
  readonly prefix: '/v0' | '/v0/scan-proxy';
  readonly declared: { readonly tags: string[]; readonly security?: typeof TOKEN };
  readonly operation: (name: string) => string;
  readonly refusals: ReturnType<typeof problems<401>>;
}

export type RegisterShared = (api: Api, ledger: LedgerView, mount: ScanMount) => void;

export const SCAN: ScanMount = {
  prefix: '/v0',
  declared: { tags: ['scan'] },
  operation: (name) => name,
  // Cast: scan needs no token, so it has no such responses. The type is that of the proxy.
  refusals: {} as ScanMount['refusals'],
};

export const SCAN_PROXY: ScanMount = {
  prefix: '/v0/scan-proxy',
  declared: { tags: ['scan proxy'], security: TOKEN },
  operation: (name) => `${name}ByProxy`,
  refusals: problems(401),
};
