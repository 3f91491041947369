import { problems } from '../../problem.js';
import { TOKEN } from '../../route-parts.js';
import type { Api } from '../../request.js';
import type { LedgerView } from '../../history/ledger-view.js';

/** Where questions to scan are asked: at scan, by everybody, or at the validator, by its users. */
export interface ScanMount {
  readonly prefix: '/v0' | '/v0/scan-proxy';
  /** What the declarations of its routes have in common. */
  readonly declared: { readonly tags: string[]; readonly security?: typeof TOKEN };
  /** The operation of a route: names are unique in the document. */
  readonly operation: (name: string) => string;
  readonly refusals: ReturnType<typeof problems<401>>;
}

/** Declares routes that scan and the validator's proxy of it both have. */
export type RegisterShared = (api: Api, ledger: LedgerView, mount: ScanMount) => void;

/** Scan itself: no token. */
export const SCAN: ScanMount = {
  prefix: '/v0',
  declared: { tags: ['scan'] },
  operation: (name) => name,
  // It refuses nobody; the type is that of the mount that does.
  refusals: {} as ScanMount['refusals'],
};

/** The validator's proxy of scan: any valid token, which a guard asks for. */
export const SCAN_PROXY: ScanMount = {
  prefix: '/v0/scan-proxy',
  declared: { tags: ['scan proxy'], security: TOKEN },
  operation: (name) => `${name}ByProxy`,
  refusals: problems(401),
};
